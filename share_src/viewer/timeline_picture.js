// SPDX-License-Identifier: BSD-3-Clause
// Which call each pixel of a thread shows. What it takes depends on the number of pixels, not on that of the calls: of those that begin within a pixel
// some are looked at, and those that go on beyond it are known as the callers of the last one. So any part of a timeline is drawn at once.

export const MostLevels = 12; // of a thread that are drawn
const PerPixel = 6; // calls that are looked at
export const NoCall = 0xffffffff;

/**
 * The first call that begins at `time` or later.
 * @param {import('./timeline_data.js').Calls} calls
 * @param {number} time
 * @param {number} [at] a call that is not behind it
 */
function firstFrom(calls, time, at = 0) {
    const {begin, count} = calls;
    if (at >= count || begin[at] >= time) return at;
    let low = at, step = 1; // begin[low] < time
    while (low + step < count && begin[low + step] < time) {
        low += step;
        step *= 2;
    }
    for (let high = Math.min(low + step, count); high - low > 1;) {
        const middle = low + high >>> 1;
        if (begin[middle] < time) low = middle;
        else high = middle;
    }
    return low + 1;
}

/**
 * The call on this level at a time, or the deepest one that is above it; NoCall: there is none.
 * @param {import('./timeline_data.js').Calls} calls
 * @param {number} time
 * @param {number} level
 */
export function callAt(calls, time, level) {
    let call = firstFrom(calls, time + 1) - 1;
    if (call < 0) return NoCall;
    while (call !== NoCall && (calls.end[call] <= time || calls.depth[call] > level)) call = calls.up[call];
    return call;
}

/**
 * By level, then by pixel: the number of a call + 1, or 0 where nothing is called.
 * @param {import('./timeline_data.js').Calls} calls
 * @param {number} from
 * @param {number} to
 * @param {number} width in pixels
 * @param {number} levels
 * @returns {Uint32Array[]}
 */
export function callsOfPixels(calls, from, to, width, levels) {
    const {begin, end, depth, up} = calls, step = (to - from) / width;
    const lines = Array.from({length: levels}, () => new Uint32Array(width)), longest = new Float64Array(levels);
    let x = 0, left = 0, right = 0; // the pixel, and the time that it stands for
    /** @param {number} call */
    const take = call => {
        const level = depth[call];
        if (level >= levels) return;
        const part = (end[call] < right ? end[call] : right) - (begin[call] > left ? begin[call] : left);
        if (part < 0 || part < longest[level]) return;
        longest[level] = part;
        lines[level][x] = call + 1;
    };
    for (let next = firstFrom(calls, from); x < width; x++) {
        const first = next;
        left = from + x * step;
        right = left + step;
        longest.fill(0);
        next = firstFrom(calls, right, first);
        if (first > 0) for (let call = first - 1; call !== NoCall; call = up[call]) take(call);
        if (next === first) continue;
        const stride = Math.max((next - first) / PerPixel, 1);
        for (let at = first; at < next; at += stride) take(Math.floor(at));
        for (let call = next - 1; call !== NoCall; call = up[call]) take(call);
    }
    return lines;
}
