// The colours of keys mean nothing else, and everybody can tell them apart and read what stands on them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../static/styles.css", import.meta.url), "utf8");
// The colours of a theme, by their names.
const coloursOf = (selector) => {
  const from = css.indexOf(`${selector} {`);
  return Object.fromEntries([...css.slice(from, css.indexOf("}", from)).matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => [name, value]));
};
const THEMES = { light: coloursOf(":root"), dark: coloursOf('[data-theme="dark"]') };
const KEYS = Array.from({ length: 8 }, (_, look) => `look-${look}`);
const SIGNS = ["accent", "committed", "duplicate", "lost"];

const linear = (colour) => {
  const digits = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : colour.match(/[0-9a-f]{2}/g);
  return digits.map((digits) => parseInt(digits, 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
};
const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, index) => sum + factor * vector[index], 0));

// WCAG 2.
const contrast = (a, b) => {
  const [dark, light] = [a, b].map((colour) => times([[0.2126, 0.7152, 0.0722]], linear(colour))[0]).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

// What dichromats see (Machado, Oliveira, Fernandes 2009, severity 1).
const SIGHTS = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

// The distance in Oklab, in hundredths.
const distance = (a, b, sight = SIGHTS.usual) => {
  const [first, second] = [a, b].map((colour) => {
    const seen = times(sight, linear(colour)).map((part) => Math.min(Math.max(part, 0), 1));
    const cones = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], seen).map(Math.cbrt);
    return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], cones);
  });
  return 100 * Math.hypot(...first.map((part, index) => part - second[index]));
};

for (const [theme, colours] of Object.entries(THEMES)) {
  test(`${theme}: what stands on the colour of a key, and what is written in it, can be read`, () => {
    for (const key of [...KEYS, "look-8"]) {
      for (const other of ["look-ink", "surface"]) {
        const found = contrast(colours[key], colours[other]);
        assert.ok(found >= 4.5, `${key} and ${other}: ${found.toFixed(2)}`);
      }
    }
  });

  test(`${theme}: no key has the colour of a sign`, () => {
    for (const key of KEYS) {
      for (const sign of SIGNS) {
        const found = distance(colours[key], colours[sign]);
        assert.ok(found >= 10, `${key} and ${sign}: ${found.toFixed(1)}`);
      }
    }
  });

  for (const [name, sight] of Object.entries(SIGHTS)) {
    test(`${theme}: keys are told apart, ${name}`, () => {
      for (const [index, key] of KEYS.entries()) {
        for (const other of KEYS.slice(0, index)) {
          const found = distance(colours[key], colours[other], sight);
          assert.ok(found >= (name === "usual" ? 12 : 8), `${key} and ${other}: ${found.toFixed(1)}`);
        }
      }
    });
  }
}
