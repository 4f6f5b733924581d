// SPDX-License-Identifier: BSD-3-Clause
// The events of the timeline as calls. The format is described in src/export/html/timeline_blocks.hpp.
import {CollectiveBlock, Marks, MessageBlock, WaitBlock} from './timeline_marks.js';
import {MostLevels, NoCall} from './timeline_picture.js';

const Leave = 0xffffffff, Nothing = 0xfffffffe;

/**
 * The calls of a thread in the order of their begins, callers before what they call.
 * @typedef {object} Calls
 * @property {number} count
 * @property {Float64Array} begin ns since the start of the run
 * @property {Float64Array} end of a call that has not ended: when the thread was last seen
 * @property {Uint32Array} row of the call tree
 * @property {Uint16Array} depth
 * @property {Uint32Array} after of a call and all that it calls: the next call
 * @property {Uint32Array} up the caller, for one on a level that is not drawn the caller on the last one that is; NoCall: there is none
 * @property {number} levels
 */

/** Arrays that grow. */
class CallsBuilder {
    constructor() {
        this.count = 0;
        this.levels = 0;
        this.time = 0;
        /** @type {number[]} */
        this.open = [];
        this.resize(1024);
    }

    /**
     * @param {number} size
     */
    resize(size) {
        const grown = (/** @type {any} */ before, /** @type {any} */ made) => { if (before) made.set(before); return made; };
        this.begin = /** @type {Float64Array} */ (grown(this.begin, new Float64Array(size)));
        this.end = /** @type {Float64Array} */ (grown(this.end, new Float64Array(size)));
        this.row = /** @type {Uint32Array} */ (grown(this.row, new Uint32Array(size)));
        this.depth = /** @type {Uint16Array} */ (grown(this.depth, new Uint16Array(size)));
        this.after = /** @type {Uint32Array} */ (grown(this.after, new Uint32Array(size)));
        this.up = /** @type {Uint32Array} */ (grown(this.up, new Uint32Array(size)));
    }

    /**
     * @param {Uint32Array} passed
     * @param {Uint32Array} what
     */
    add(passed, what) {
        for (let i = 0; i < what.length; i++) {
            this.time += passed[i];
            if (what[i] === Nothing) continue;
            if (what[i] === Leave) {
                const call = this.open.pop();
                if (call !== undefined) this.ends(call);
                continue;
            }
            if (this.count === this.begin.length) this.resize(2 * this.count);
            this.begin[this.count] = this.time;
            this.row[this.count] = what[i];
            this.depth[this.count] = this.open.length;
            this.up[this.count] = this.open.length === 0 ? NoCall : this.open[Math.min(this.open.length, MostLevels) - 1];
            this.open.push(this.count++);
            this.levels = Math.max(this.levels, this.open.length);
        }
    }

    /**
     * @param {number} call
     */
    ends(call) {
        this.end[call] = this.time;
        this.after[call] = this.count;
    }

    /** @returns {Calls} */
    calls() {
        for (const call of this.open) this.ends(call);
        const cut = (/** @type {any} */ array) => array.subarray(0, this.count);
        return {count: this.count, begin: cut(this.begin), end: cut(this.end), row: cut(this.row), depth: cut(this.depth), after: cut(this.after), up: cut(this.up), levels: this.levels};
    }
}

export class Timeline {
    /**
     * @param {{end_ns: number, message_ends: number, collective_calls: number, waits: number, waiting_ns: number[], threads: {process: string, rank: number, thread: number, begin_ns: number, end_ns: number}[]}} directory
     * @param {import('./data.js').CallTree} tree
     * @param {ArrayBuffer} buffer
     * @param {number} at where the blocks begin, which go on to the end
     */
    constructor(directory, tree, buffer, at) {
        this.directory = directory;
        this.tree = tree;
        /**
         * The part of the time that it has, in more detail; null: it is the whole.
         * @type {{from: number, to: number, shortest: number}|null}
         */
        this.part = null;
        this.end = directory.end_ns;
        /** How many there are, also of those that the page has not; `waiting`: ns by wait state. */
        this.all = {messageEnds: directory.message_ends, collectiveCalls: directory.collective_calls, waits: directory.waits, waiting: directory.waiting_ns};
        this.marks = new Marks();
        const threads = directory.threads.map(() => new CallsBuilder());
        while (at < buffer.byteLength) {
            const [thread, count] = new Uint32Array(buffer, at, 2);
            if (thread === MessageBlock || thread === CollectiveBlock || thread === WaitBlock) {
                at = this.marks.read(buffer, at);
                continue;
            }
            threads[thread].add(new Uint32Array(buffer, at + 8, count), new Uint32Array(buffer, at + 8 + 4 * count, count));
            at += 8 + 8 * count;
        }
        this.threads = directory.threads.map((one, i) => ({...one, calls: threads[i].calls()}));
        this.marks.arrange(this.threads.length);
    }
}
