// Makes a screenshot smaller without changing a pixel: flat surfaces compress best without the filters that Chromium puts
// on each line.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const CHANNELS = 3; // what Chromium writes for a page: red, green and blue of 8 bits, not interlaced

export function smaller(png) {
  const chunks = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) });
  }
  const [{ data: header }] = chunks;
  if (header[8] !== 8 || header[9] !== 2 || header[12] !== 0) return png;

  const stride = header.readUInt32BE(0) * CHANNELS;
  const filtered = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const plain = Buffer.alloc(filtered.length); // each line is led by its filter, here 0: none
  for (let line = 0; line < filtered.length; line += stride + 1) {
    for (let at = line + 1; at <= line + stride; at++) {
      const isFirst = at - line <= CHANNELS;
      const left = isFirst ? 0 : plain[at - CHANNELS];
      const above = line === 0 ? 0 : plain[at - stride - 1];
      const corner = isFirst || line === 0 ? 0 : plain[at - stride - 1 - CHANNELS];
      plain[at] = filtered[at] + [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filtered[line]];
    }
  }
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(plain, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function paeth(left, above, corner) {
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function chunk(type, data) {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}
