// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text, with units that fit.

/** @param {number} ns */
export function duration(ns) {
    if (ns < 1e3) return `${Math.round(ns)} ns`;
    if (ns < 999.95e3) return `${(ns / 1e3).toFixed(1)} µs`;
    return ns < 999.95e6 ? `${(ns / 1e6).toFixed(1)} ms` : `${(ns / 1e9).toFixed(2)} s`;
}

/**
 * A difference, with its sign.
 * @param {number} ns
 */
export const change = ns => (ns < 0 ? '−' : '+') + duration(Math.abs(ns));

/** @param {number} number */
export const count = number => number.toLocaleString('en-US');

/** @param {number} bytes */
export function size(bytes) {
    if (bytes < 10240) return `${Math.round(bytes)} B`;
    for (const unit of ['KiB', 'MiB', 'GiB'])
        if ((bytes /= 1024) < 10240) return `${bytes.toFixed(1)} ${unit}`;
    return `${(bytes / 1024).toFixed(1)} TiB`;
}

/** @param {number} share of 1 */
export const percent = share => `${(100 * share).toFixed(1)} %`;

/**
 * @param {number} number
 * @param {string} one
 */
export const counted = (number, one) => `${count(number)} ${one}${number === 1 ? '' : 's'}`;

/**
 * A text that ends with a mark where it is longer than that.
 * @param {string} text
 * @param {number} most characters
 */
export const shortened = (text, most) => text.length > most ? text.slice(0, Math.max(most - 1, 1)) + '…' : text;

/**
 * A cell of comma-separated values (RFC 4180).
 * @param {any} value
 */
export function csvCell(value) {
    const text = String(value ?? '');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
