// Parts the page's program in two: what opening and stepping the first story runs, and the rest, which is fetched while
// the first is at work already.
//
// Both share memory, tables and globals. In the place of each function of the rest, the first has one that calls it through
// a table which the rest fills when it arrives; called before that, it asks static/load.js to fetch the rest at once and
// waits. So where the line is drawn changes how fast the page starts, never what it does.
//
// What belongs to the rest is in scripts/rest.txt, by the beginnings of Rust paths; scripts/first-run.mjs writes it. Some
// functions are never inlined (`#[inline(never)]`) so that they can belong to it.

import binaryen from "binaryen";
import { readFileSync } from "node:fs";

const F = binaryen.Features;
// What today's Rust compiler takes for granted; static/boot.js checks that the browser has it.
const FEATURES = F.MutableGlobals | F.BulkMemory | F.BulkMemoryOpt | F.SignExt | F.NontrappingFPToInt | F.ReferenceTypes | F.Multivalue | F.CallIndirectOverlong;

const TABLE = "rest"; // the first's export with the functions of the rest
export const HERE = "rest_is_here"; // its export that is 1 once they are there
const FIRST = "first"; // what the rest imports from
const MEMORY = "0"; // as Binaryen calls the only memory of a program

// A function's path without what tells it from others of the same path. It begins with the module; `<Type as Trait>::method`
// with that of the type, what drops a value with that of its type.
export const pathOf = (name) =>
  name.replace(/[._]\d+$/, "").replace(/::h[0-9a-f]{16}$/, "").replace(/\[[0-9a-f]{16}\]/g, "").replace(/^(?:core::ptr::drop_in_place)?[<&]+/, "");

export const RULES = new URL("rest.txt", import.meta.url);
const rules = readFileSync(RULES, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));

const isOfRest = (name) => rules.some((rule) => pathOf(name).startsWith(rule));

export function read(bytes) {
  const module = binaryen.readBinary(new Uint8Array(bytes));
  module.setFeatures(FEATURES);
  return module;
}

export const functionsOf = (module) =>
  Array.from({ length: module.getNumFunctions() }, (_, index) => binaryen.getFunctionInfo(module.getFunctionByIndex(index)));

const parts = (module, count, byIndex, info) => Array.from({ length: count }, (_, index) => info(byIndex.call(module, index)));
const exportsOf = (module) => parts(module, module.getNumExports(), module.getExportByIndex, binaryen.getExportInfo);
const globalsOf = (module) => parts(module, module.getNumGlobals(), module.getGlobalByIndex, binaryen.getGlobalInfo);
const tablesOf = (module) => parts(module, module.getNumTables(), module.getTableByIndex, binaryen.getTableInfo);
const segmentsOf = (module) => parts(module, module.getNumElementSegments(), module.getElementSegmentByIndex, binaryen.getElementSegmentInfo);

// The two programs, from one that still has the names of its functions, and the map of its linker.
export function split(bytes, map) {
  const whole = functionsOf(read(bytes));
  const ruled = whole.filter(({ module, name }) => !module && isOfRest(name));
  // What only the rest calls goes with it, whatever its path.
  const kept = new Set(functionsOf(firstOf(read(bytes), ruled, [])).map(({ name }) => name));
  const staying = whole.filter(({ module, name }) => module || kept.has(name) && !isOfRest(name));
  const rest = restOf(read(bytes), staying, ruled);
  const first = firstOf(read(bytes), ruled, [...functionsOf(rest), ...globalsOf(rest)].filter(({ module }) => module === FIRST));
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(1);
  first.optimize();

  const memory = memoryOf(first);
  shortenPlaces(memory);
  const code = codeOf(first);
  const moved = constantsOfRest(memory, constantsOf(map, memory), code);
  movePointers(first, rest, new Set(ruled.map(({ name }) => name)), code, memory, moved);
  putData(rest, moved.map(({ from, to }) => ({ offset: from, data: memory.bytes.slice(from, to) })));
  rest.addMemoryImport(MEMORY, FIRST, "memory");
  for (const { from, to } of moved) memory.bytes.fill(0, from, to);
  putData(first, memory.segments.map(({ offset, data }) => ({ offset, data: memory.bytes.slice(offset, offset + data.byteLength) })));
  first.runPasses(["memory-packing"]);

  for (const module of [first, rest]) if (!module.validate()) throw new Error("the program cannot be split, see above");
  const order = similar(first);
  renameExports(first, rest, order);
  return { first: inOrder(first, order).emitBinary(), rest: rest.emitBinary() };
}

const RUN = 5;

// The functions of a program, each next to one that is like it, so that it packs smaller. What is alike has the same
// instructions, some at a time.
function similar(module) {
  const functions = textOf(module).functions.map(({ name, lines }) => {
    const words = lines.join("\n").match(/[a-z0-9_.]+\.[a-z0-9_]+|offset=\d+/g) ?? [];
    return { name, runs: new Set(words.map((word, index) => words.slice(index, index + RUN).join(" "))) };
  });
  const having = new Map(); // the functions that are left, by each of their runs of instructions
  for (const one of functions) for (const run of one.runs) having.set(run, (having.get(run) ?? new Set()).add(one));
  const left = new Set(functions);
  const order = [];
  let next = functions.toSorted((a, b) => b.runs.size - a.runs.size)[0];
  while (next) {
    const last = next;
    order.push(last.name);
    left.delete(last);
    const shared = new Map();
    for (const run of last.runs) {
      const others = having.get(run);
      others.delete(last);
      // What very many have says little.
      if (others.size < 200) for (const other of others) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    const likeness = ([other, count]) => count / (other.runs.size + last.runs.size - count + 1);
    const best = [...shared].reduce((best, found) => (best && likeness(best) >= likeness(found) ? best : found), undefined);
    next = best?.[0] ?? left.values().next().value;
  }
  return order;
}

// A program as text: the functions that it defines, each with its name as it stands there, and all other lines.
function textOf(module) {
  const [functions, others] = [[], []];
  let lines; // of the function that has begun
  for (const line of module.emitText().trimEnd().split("\n")) {
    const [, name] = line.match(/^ \(func (\$"(?:[^"\\]|\\.)*"|\S+)/) ?? [];
    if (name) functions.push({ name, lines: (lines = []) });
    (lines ?? others).push(line);
    if (line === " )") lines = undefined;
  }
  return { functions, others };
}

function inOrder(module, order) {
  const { functions, others } = textOf(module);
  const lines = new Map(functions.map(({ name, lines }) => [name, lines]));
  const end = others.pop();
  const ordered = binaryen.parseText([...others, ...order.flatMap((name) => lines.get(name)), end].join("\n"));
  ordered.setFeatures(FEATURES);
  if (!ordered.validate()) throw new Error("the program cannot be put in order, see above");
  return ordered;
}

// What the rest takes from the first is called by the order in which it stands there.
function renameExports(first, rest, order) {
  const place = new Map(order.map((name, index) => [name, index]));
  const inText = new Map([...first.emitText().matchAll(/^ \(export "(\w+)" \(func (.+)\)\)$/gm)].map(([, name, value]) => [name, place.get(value) ?? -1]));
  const imported = new Map(functionsOf(rest).filter(({ module }) => module === FIRST).map((info) => [info.base, info]));
  const exported = exportsOf(first).filter(({ name }) => imported.has(name)).toSorted((a, b) => inText.get(a.name) - inText.get(b.name));
  for (const { name } of exported) {
    first.removeExport(name);
    rest.removeFunction(imported.get(name).name);
  }
  for (const [index, { name, value }] of exported.entries()) {
    const { name: own, params, results } = imported.get(name);
    first.addFunctionExport(value, `f${index.toString(36)}`);
    rest.addFunctionImport(own, FIRST, `f${index.toString(36)}`, params, results);
  }
}

const ASK = "ask_for_rest"; // the first's function that asks for the rest if it is not there
const NEED = "needRest"; // what the first imports to ask for the rest, see src/main.rs

// wasm-bindgen tells functions of the page apart by names that do not get smaller. The program with short ones, with which
// functions keep their own names, and the short name of each import.
export function shortenImports(bytes) {
  const module = read(bytes);
  const names = new Map();
  for (const { name, module: from, base, params, results } of functionsOf(module).filter((info) => info.module)) {
    names.set(base, base.includes(NEED) ? NEED : `i${names.size}`);
    module.removeFunction(name);
    module.addFunctionImport(name, from, names.get(base), params, results);
  }
  binaryen.setDebugInfo(true);
  const program = module.emitBinary();
  binaryen.setDebugInfo(false);
  return { program, names };
}

// `ruled` are the functions that it calls through the table, `needed` what the rest imports from it.
function firstOf(module, ruled, needed) {
  const need = functionsOf(module).find(({ base }) => base === NEED);
  if (!need) throw new Error("the program does not import needRest(), see src/main.rs");
  module.addTable(TABLE, ruled.length, ruled.length);
  module.addTableExport(TABLE, TABLE);
  module.addGlobal(HERE, binaryen.i32, true, module.i32.const(0));
  module.addGlobalExport(HERE, HERE);
  const asks = module.if(module.i32.eqz(module.global.get(HERE, binaryen.i32)), module.call(need.name, [], binaryen.none));
  module.addFunction(ASK, binaryen.none, binaryen.none, [], asks);
  for (const [place, { name, params, results }] of ruled.entries()) {
    const given = binaryen.expandType(params).map((type, index) => module.local.get(index, type));
    const ask = module.call(ASK, [], binaryen.none);
    const call = module.call_indirect(TABLE, module.i32.const(place), given, params, results);
    module.removeFunction(name);
    module.addFunction(name, params, results, [], module.block(null, [ask, call], results));
  }
  for (const { name, base, mutable } of needed) {
    if (mutable === undefined) module.addFunctionExport(name, base);
    else module.addGlobalExport(name, base);
  }
  for (const { name } of tablesOf(module)) if (name !== TABLE) module.addTableExport(name, exportedTable(name));
  module.runPasses(["remove-unused-module-elements"]);
  return module;
}

const exportedTable = (name) => `table_${name}`;

function restOf(module, staying, ruled) {
  for (const { name } of exportsOf(module)) module.removeExport(name);
  for (const { name } of segmentsOf(module)) module.removeElementSegment(name);
  for (const [index, { name, params, results }] of staying.entries()) {
    module.removeFunction(name);
    module.addFunctionImport(name, FIRST, `f${index.toString(36)}`, params, results);
  }
  for (const [index, { name, type, mutable }] of globalsOf(module).entries()) {
    module.removeGlobal(name);
    module.addGlobalImport(name, FIRST, `g${index.toString(36)}`, type, mutable);
  }
  for (const { name } of tablesOf(module)) module.addTableImport(name, FIRST, exportedTable(name));
  module.addTable(TABLE, ruled.length, ruled.length);
  module.addTableImport(TABLE, FIRST, TABLE);
  module.addActiveElementSegment(TABLE, TABLE, ruled.map(({ name }) => name), module.i32.const(0));
  module.runPasses(["remove-unused-module-elements"]);
  return module;
}

// Where the linker puts the first function that is called by pointer: a number that hardly anything else is. Rust's build script
// says the same to it.
const POINTERS = 50_000;

// A function of the rest to which only the rest has pointers needs nothing in its place: the rest puts it there itself.
function movePointers(first, rest, ruled, code, { bytes }, moved) {
  const known = new Set([...code.matchAll(/\bi(?:32|64)\.const (\d+)/g)].map(([, number]) => Number(number)));
  const words = new DataView(bytes.buffer);
  const isMoved = new Uint8Array(bytes.length);
  for (const { from, to } of moved) isMoved.fill(1, from, to);
  for (let at = 0; at + 4 <= bytes.length; at += 4) if (!isMoved[at]) known.add(words.getUint32(at, true));
  for (const { name: segment, table, data, offset } of segmentsOf(first)) {
    const from = binaryen.getExpressionInfo(offset).value;
    if (from !== POINTERS) continue;
    const isOfRest = data.map((name, index) => ruled.has(name) && !known.has(from + index));
    first.removeElementSegment(segment);
    for (let index = 0, end; index < data.length; index = end) {
      for (end = index + 1; end < data.length && isOfRest[end] === isOfRest[index];) end += 1;
      const module = isOfRest[index] ? rest : first;
      if (isOfRest[index] && !tablesOf(rest).some(({ name }) => name === table)) throw new Error("the rest calls nothing by pointer");
      module.addActiveElementSegment(table, `${segment}_${index}`, data.slice(index, end), module.i32.const(from + index));
    }
  }
  first.runPasses(["remove-unused-module-elements"]);
}

// The memory as it is at the start.
function memoryOf(module) {
  const segments = parts(module, module.getNumDataSegments(), module.getDataSegmentByIndex, module.getDataSegmentInfo);
  const bytes = new Uint8Array(Math.max(...segments.map(({ offset, data }) => offset + data.byteLength)));
  for (const { offset, data } of segments) bytes.set(new Uint8Array(data), offset);
  return { segments, bytes };
}

// A panic names its place in the source by a path on the machine that has built the program. What a reader can look up is behind
// the folder in which the compiler or the package manager keeps the sources.
function shortenPlaces({ bytes }) {
  const words = new DataView(bytes.buffer);
  const texts = new Map(); // by their beginnings, how much of them is left out
  for (let at = 0; at + 16 <= bytes.length; at += 4) {
    const [from, length] = [words.getUint32(at, true), words.getUint32(at + 4, true)];
    if (length < 8 || length > 300 || from + length > bytes.length || bytes[from] !== 47) continue;
    const path = String.fromCharCode(...bytes.subarray(from, from + length));
    const [folder] = path.match(/^\/[\w./-]*(?:registry\/src\/[^/]+|rustc\/[0-9a-f]{40})\/(?=[\w./-]+\.rs$)/) ?? [];
    if (folder === undefined) continue;
    words.setUint32(at, from + folder.length, true);
    words.setUint32(at + 4, length - folder.length, true);
    texts.set(from, folder.length);
  }
  for (const [from, length] of texts) bytes.fill(0, from, from + length);
}

function putData(module, segments) {
  const { initial, max = -1 } = module.getMemoryInfo(MEMORY);
  const active = segments.map(({ offset, data }, index) => ({ name: `data_${index}`, offset: module.i32.const(offset), data, passive: false }));
  module.setMemory(initial, max, null, active, false, false, MEMORY);
}

// Where the map says that the compiler has put constants that nothing changes: each by itself, and texts in one piece, where
// a zero ends each.
function constantsOf(map, { bytes }) {
  const found = [];
  let isReadOnly = false;
  for (const [address, , size, what] of map.split("\n").map((line) => line.trim().split(/\s+/))) {
    if (what?.startsWith(".") && !what.startsWith(".L")) isReadOnly = what === ".rodata";
    if (!isReadOnly || !what?.includes(":(")) continue;
    const [from, to] = [parseInt(address, 16), parseInt(address, 16) + parseInt(size, 16)];
    if (what.includes(":(.rodata..Lanon.")) found.push({ from, to });
    // The tables of a `match`, and constants that have a name.
    if (what.includes(":(.rodata..Lswitch.table.") || what.includes(":(.rodata._R")) found.push({ from, to, before: BEFORE_MATCH });
    if (!what.startsWith("<internal>:")) continue;
    for (let start = from, at = from; at <= to; at++) {
      if (at < to && bytes[at] !== 0) continue;
      if (at > start) found.push({ from: start, to: at });
      start = at + 1;
    }
  }
  return found;
}

// The functions as text, without where the data lie.
const codeOf = (module) => module.emitText().split("\n").filter((line) => !/^ \((?:data|elem|memory|table) /.test(line)).join("\n");

const OF_REST = new TextEncoder().encode("logstep-of-rest:"); // begins what nothing points into, see build.rs
const BEFORE = 32; // bytes in front of a table from which code may count its entries, where they do not begin with the first
const BEFORE_MATCH = 320; // the same, where it may count from the number of a letter

// The constants to which the first's code does not lead, neither by itself nor by what lies in the memory; next to each other as
// one.
function constantsOfRest({ bytes }, constants, code) {
  const pointed = new Uint8Array(bytes.length + 1);
  // An address stands by itself, as what a load adds to another, or as one half of a pair that is stored at once.
  for (const [, number] of code.matchAll(/(?:\bi(?:32|64)\.const |\boffset=)(-?\d+)/g)) {
    const bits = BigInt.asUintN(64, BigInt(number));
    for (const half of [bits & 0xffffffffn, bits >> 32n]) if (half < pointed.length) pointed[half] = 1;
  }
  const words = new DataView(bytes.buffer);
  const follow = (from, to) => {
    for (let at = (from + 3) & ~3; at + 4 <= to; at += 4) if (words.getUint32(at, true) < bytes.length) pointed[words.getUint32(at, true)] = 1;
  };
  // What is not known to be a constant is taken to be in use.
  let known = 0;
  for (const { from, to } of [...constants.toSorted((a, b) => a.from - b.from), { from: bytes.length, to: bytes.length }]) {
    follow(known, from);
    known = Math.max(known, to);
  }
  const isText = ({ from, to }) => bytes.subarray(from, to - 1).every((byte) => byte !== 0);
  const isOne = ({ from, to }) => OF_REST.every((byte, index) => from + index < to && bytes[from + index] === byte);
  let moved = constants.map((constant) => ({ ...constant, begins: isText(constant) || isOne(constant) ? constant.from : constant.from - (constant.before ?? BEFORE) }));
  for (let before = Infinity; moved.length < before;) {
    before = moved.length;
    moved = moved.filter(({ from, to, begins }) => {
      const isReached = pointed.subarray(Math.max(begins, 0), to).includes(1);
      if (isReached) follow(from, to);
      return !isReached;
    });
  }
  const joined = [];
  for (const { from, to } of moved.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    // Over the zero that ends a text, but not over a text of one letter that stays.
    if (last && (from === last.to || (from - last.to === 1 && bytes[last.to] === 0))) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}
