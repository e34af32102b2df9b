// Numbers as text: written as Python's rounding.py writes them, and read as people type them.
const Calculator = {};

(function () {
  "use strict";

  const UNKNOWN = 4; // decimals without an interval
  const MAX_DECIMALS = 8;
  const GIVEN_DIGITS = 10; // of a number that a user chose
  const ROUNDING = 1e-12; // of a limit
  const MAX_COUNT_DIGITS = 18;
  const MAX_DOCUMENTS = 1e12;
  const MIN_TAIL = 1e-9; // distance of a confidence level from 0 and 1

  // ---- numbers to text ----

  // The bits of a double as an integer times a power of two.
  function decompose(value) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, Math.abs(value));
    const bits = view.getBigUint64(0);
    const exponent = Number(bits >> 52n);
    const fraction = bits & ((1n << 52n) - 1n);
    return exponent ? [fraction | (1n << 52n), exponent - 1075] : [fraction, -1074];
  }

  // |value| times a power of ten as an integer; ties go to the even one, as in Python.
  function scaleAndRound(value, places) {
    const [mantissa, exponent] = decompose(value);
    let above = mantissa, below = 1n;
    if (exponent > 0) above <<= BigInt(exponent);
    else below <<= BigInt(-exponent);
    if (places > 0) above *= 10n ** BigInt(places);
    else below *= 10n ** BigInt(-places);
    const whole = above / below, rest = 2n * (above % below);
    return rest > below || (rest === below && whole % 2n) ? whole + 1n : whole;
  }

  function group(digits) {
    return digits.replace(/\B(?=(\d{3})+$)/g, ",");
  }

  function insertPoint(digits, places) {
    if (!places) return digits;
    const padded = digits.padStart(places + 1, "0");
    return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
  }

  // f"{value:.{places}f}"; a dash for NaN
  function fixed(value, places) {
    if (Number.isNaN(value)) return "-";
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    return sign + insertPoint(scaleAndRound(value, places).toString(), places);
  }

  // f"{value:,.0f}"
  function formatCount(value) {
    return Number.isNaN(value) ? "-" : (value < 0 ? "-" : "") + group(scaleAndRound(value, 0).toString());
  }

  // f"{value:,.{digits}g}", with or without the separators
  function significant(value, digits, separates = false) {
    if (Number.isNaN(value)) return "-";
    if (value === 0) return "0";
    let exponent = findExponent(value);
    let number = scaleAndRound(value, digits - 1 - exponent);
    if (number === 10n ** BigInt(digits)) {
      number /= 10n;
      exponent += 1;
    }
    const sign = value < 0 ? "-" : "";
    if (exponent < -4 || exponent >= digits) {
      const text = stripZeros(insertPoint(number.toString(), digits - 1));
      const power = Math.abs(exponent).toString().padStart(2, "0");
      return `${sign}${text}e${exponent < 0 ? "-" : "+"}${power}`;
    }
    const [whole, rest] = stripZeros(insertPoint(number.toString(), digits - 1 - exponent)).split(".");
    return sign + (separates ? group(whole) : whole) + (rest ? `.${rest}` : "");
  }

  function stripZeros(text) {
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }

  // floor(log10(|value|))
  function findExponent(value) {
    return Number(value.toExponential().split("e")[1]);
  }

  const formatSetting = (value) => significant(value, GIVEN_DIGITS, true);
  const percent = (fraction) => `${formatSetting(fraction * 100)} %`;

  // The decimals that show two significant digits of a half width.
  function decimals(halfWidth) {
    if (!Number.isFinite(halfWidth) || halfWidth <= 0) return UNKNOWN;
    return Math.min(Math.max(1 - findExponent(halfWidth), 0), MAX_DECIMALS);
  }

  function decimalsOfColumn(halfWidths) {
    const known = halfWidths.filter((width) => Number.isFinite(width) && width > 0).sort((a, b) => a - b);
    const middle = known.length >> 1;
    if (!known.length) return UNKNOWN;
    return decimals(known.length % 2 ? known[middle] : (known[middle - 1] + known[middle]) / 2);
  }

  // A low end rounded down, or a high end rounded up; one that has few decimals stays.
  function roundOutwards(limit, places, side) {
    if (Number.isNaN(limit)) return limit;
    const scale = 10 ** places;
    let nearest = Math.round(limit * scale);
    if (Math.abs(limit * scale - nearest) > ROUNDING * scale) {
      nearest = side === "low" ? Math.floor(limit * scale) : Math.ceil(limit * scale);
    }
    return nearest / scale;
  }

  function pluralise(n, singular) {
    return `${formatCount(n)} ${n === 1 ? singular : `${singular}s`}`;
  }

  // repr() of a text without control characters
  function quote(text) {
    const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
    return mark + text.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`) + mark;
  }

  // ---- text to numbers ----

  const GROUPED_COUNT = /^[1-9]\d{0,2}([,.'\u2019 \u00a0\u202f])\d{3}(\1\d{3}){0,4}$/;
  const DECIMAL_ZEROS = /^([^.,].*)([.,])0+$/;

  // The integers that a written count can mean, with separated thousands first.
  function listReadings(text) {
    const [, whole, mark] = DECIMAL_ZEROS.exec(text) ?? ["", text, ""];
    const wholes = GROUPED_COUNT.test(text) ? [text] : [];
    const grouped = GROUPED_COUNT.exec(whole);
    if (/^\d+$/.test(whole) || (grouped && grouped[1] !== mark)) wholes.push(whole);
    const digits = [...new Set(wholes.map((written) => written.replace(/\D/g, "")))];
    return digits.filter((each) => each.length <= MAX_COUNT_DIGITS).map((each) => BigInt(each));
  }

  function isAmbiguous(text) {
    return GROUPED_COUNT.test(text) && text.split(".").length === 2;
  }

  function countHint(text) {
    const readings = listReadings(text);
    if (readings.length && !isAmbiguous(text)) return `; write ${readings[0]}`;
    if (readings.length > 1) return `; write ${readings[1]} or ${readings[0]}`;
    if (readings.length) return `; write ${readings[0]} if '.' separates thousands`;
    if (/^[\d.,]+ ?%$/.test(text)) return "; a count is needed, not a percentage";
    if (/^\d([.,]\d*)?e\+?\d+$/i.test(text)) return "; write all digits";
    return "";
  }

  // A count, or an Error whose message is one line; 100,000 and 100 000 are read, 100.000 is not.
  function readCount(typed) {
    const text = typed.trim();
    if (!text) throw new Error("needs a number");
    const [reading] = isAmbiguous(text) ? [] : listReadings(text);
    if (reading === undefined) {
      throw new Error(`must be an integer of at least 0; got ${quote(text)}${countHint(text)}`);
    }
    if (reading > BigInt(MAX_DOCUMENTS)) {
      throw new Error(`must be at most ${group(MAX_DOCUMENTS.toString())}; got ${quote(text)}`);
    }
    return Number(reading);
  }

  // A confidence level; that of a claim has a minimum.
  function readLevel(typed, isClaim) {
    const level = readFraction(typed, MIN_TAIL), { min_claim_level: minimum } = Calculator.texts;
    if (!isClaim || level >= minimum) return level;
    const hint = 1 - level >= minimum ? `, did you mean ${percent(1 - level)}?` : "";
    throw new Error(`must be at least ${percent(minimum)} for a claim; got ${quote(typed.trim())}${hint}`);
  }

  // A fraction between 0 and 1, typed as 0.75, 75 or 75 %, with a point or a comma for decimals.
  function readFraction(typed, minTail = 0) {
    const text = typed.trim();
    const match = /^(\d*(?:[.,]\d+)?|\d+[.,])\s*(%?)$/.exec(text);
    if (!match || !/\d/.test(text)) {
      throw new Error(`must be a fraction such as 0.75 or a percentage such as 75 %; got ${quote(text)}`);
    }
    const number = match[1].replace(",", ".");
    const isPercentage = match[2] || Number(number) > 1;
    // the decimal point is moved in the text: 99.9 / 100 is not 0.999
    const fraction = isPercentage ? Number(`${number}e-2`) : Number(number);
    if (!match[2] && Number(number) === 1) {
      throw new Error("must be between 0 and 1; got 1; write 1 % if this is meant");
    }
    if (!(fraction > 0 && fraction < 1)) {
      throw new Error(`must be between 0 and 1, or between 0 % and 100 %; got ${quote(text)}`);
    }
    if (fraction < minTail || fraction > 1 - minTail) {
      throw new Error(`must be from ${minTail} to 1 - ${minTail}; got ${quote(text)}`);
    }
    return fraction;
  }

  Object.assign(Calculator, {
    fixed, formatCount, significant, formatSetting, percent, decimals, decimalsOfColumn,
    roundOutwards, pluralise, quote, readCount, readFraction, readLevel,
  });
})();
