// SPDX-License-Identifier: BSD-3-Clause
// A canvas with as many points as the screen has for it.

/**
 * Null: it is not on the screen.
 * @param {HTMLCanvasElement} canvas
 * @param {number} height in pixels of the page
 * @returns {{pen: CanvasRenderingContext2D, width: number, ratio: number}|null} an empty canvas, whose pen counts in pixels of the page
 */
export function emptyCanvas(canvas, height) {
    const width = canvas.clientWidth, ratio = devicePixelRatio || 1;
    if (width === 0 || height === 0) return null;
    canvas.style.height = `${height}px`;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
    }
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.textBaseline = 'middle';
    return {pen, width, ratio};
}

export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
