// SPDX-License-Identifier: BSD-3-Clause
// The colour of a box.

/**
 * By the kind of a path, and by the first letters of a name, so that what belongs together looks alike.
 * @param {string} title
 * @param {number} kind
 * @param {boolean} dark
 */
export function colour(title, kind, dark) {
    let hash = 7;
    for (let i = 0; i < Math.min(title.length, 6); i++) hash = hash * 31 + title.charCodeAt(i) & 0xffff;
    const hue = kind === 3 ? 205 + hash % 25 : kind === 6 ? 110 + hash % 30 : 18 + hash % 36; // MPI blue, OpenMP green
    return dark ? `hsl(${hue} 45% ${30 + hash % 9}%)` : `hsl(${hue} 75% ${70 + hash % 12}%)`;
}
