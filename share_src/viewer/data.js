// SPDX-License-Identifier: BSD-3-Clause
// The data of the page: the document of vftr export --format=json, and the call tree as columns. The format is described in
// src/export/html/html.cpp.

import {RankTimes} from './rank_times.js';
import {Timeline} from './timeline_data.js';

/**
 * The call tree of a profile. Rows are depth first: what is below a row follows it, up to its `end`.
 * Columns: id, parent (a row; the root's is itself), name (index of titles), kind (vfd::NodeKind), ranks, threads, calls, exclusive, inclusive, overhead (ns);
 * with several ranks exclusive_min, exclusive_max, exclusive_min_rank, exclusive_max_rank; where durations of single calls were recorded shortest_call, median_call, p90_call,
 * p99_call, longest_call (ns; 0: not known).
 */
export class CallTree {
    /**
     * @param {{rows: number, titles: string[], short_titles: string[], columns: {name: string, type: string, offset: number}[]}} directory
     * @param {ArrayBuffer} buffer
     * @param {number} begin
     * @param {string} rootNote what the first row is
     */
    constructor(directory, buffer, begin, rootNote) {
        this.rows = directory.rows;
        this.rootNote = rootNote;
        this.titles = directory.titles;
        this.shortTitles = directory.short_titles;
        /**
         * By name in full, once it was asked for.
         * @type {Map<string, number>|undefined}
         */
        this.names = undefined;
        /** @type {Record<string, Uint32Array|Float64Array>} */
        this.column = {};
        for (const {name, type, offset} of directory.columns)
            this.column[name] = new (type === 'u32' ? Uint32Array : Float64Array)(buffer, begin + offset, this.rows);
        const parent = this.column.parent;
        this.end = new Uint32Array(this.rows);
        this.depth = new Uint16Array(this.rows);
        for (let row = 1; row < this.rows; row++) this.depth[row] = this.depth[parent[row]] + 1;
        for (let row = this.rows - 1; row >= 0; row--) {
            if (this.end[row] === 0) this.end[row] = row + 1;
            if (row !== 0 && this.end[parent[row]] < this.end[row]) this.end[parent[row]] = this.end[row];
        }
    }

    /** @param {number} row */
    title(row) {
        return this.titles[this.column.name[row]];
    }

    /**
     * The name, of the root with what it is.
     * @param {number} row
     */
    told(row) {
        return row === 0 ? this.rootNote : this.title(row);
    }

    /**
     * The name as a table of the log shows it.
     * @param {number} name
     */
    brief(name) {
        return this.shortTitles[name] || this.titles[name];
    }

    /**
     * The same of a name in full.
     * @param {string} title
     */
    briefOf(title) {
        this.names ??= new Map(this.titles.map((one, name) => [one, name]));
        const name = this.names.get(title);
        return name === undefined ? title : this.brief(name);
    }

    /**
     * "f < main < init".
     * @param {number} row
     * @param {number} [most] functions
     */
    pathText(row, most = Infinity) {
        return this.path(row).reverse().slice(0, most).map(one => this.brief(this.column.name[one])).join(' < ');
    }

    /**
     * The callers and the function itself, outermost first.
     * @param {number} row
     */
    path(row) {
        const rows = [row];
        while (row !== 0) rows.unshift(row = this.column.parent[row]);
        return rows;
    }

    /** @param {number} id the STID of the log */
    rowOf(id) {
        return this.column.id.indexOf(id);
    }
}

/** One profile of the run: of all ranks, or of one. `document` is its part of the JSON document. */
export class Profile {
    /**
     * @param {any} document
     * @param {CallTree} tree
     */
    constructor(document, tree) {
        this.document = document;
        this.tree = tree;
        /** Of all threads and ranks, in ns. */
        this.whole = tree.rows ? tree.column.inclusive[0] : 0;
        /** Of functions by themselves, without waits, in ns; never 0. */
        this.work = document.functions.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + (one.waits ? 0 : one.exclusive_ns), 0) || 1;
    }
}

export class Run {
    /**
     * @param {any} document
     * @param {Profile[]} profiles
     * @param {Timeline|null} timeline
     * @param {RankTimes|null} rankTimes of the first profile
     * @param {import('./processes.js').Life[]} processes of folders with several
     * @param {import('./source.js').Excerpt[]} sources
     * @param {import('./served.js').Server|null} server
     */
    constructor(document, profiles, timeline, rankTimes, processes, sources, server) {
        this.document = document;
        this.profiles = profiles;
        this.timeline = timeline;
        this.rankTimes = rankTimes;
        this.processes = processes;
        this.sources = sources;
        this.server = server;
        /**
         * Where the page has two runs: both, and what has changed between them.
         * @type {{base: Run, next: Run, difference: import('./difference_data.js').Difference}|null}
         */
        this.versus = null;
        this.sourceAt = new Map(sources.map(one => [`${one.line} ${one.file}`, one]));
    }

    /**
     * Where the source of a function of the document begins; undefined: the page has none.
     * @param {any} f
     */
    sourceOf(f) {
        return f.file && this.sourceAt.get(`${f.line} ${f.file}`);
    }
}

/**
 * @param {string} base64
 * @returns {Uint8Array}
 */
export function bytesOf(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}

/**
 * @param {Uint8Array} packed
 */
export async function unpacked(packed) {
    if (typeof DecompressionStream === 'undefined') throw new Error('this browser cannot unpack the data: it needs DecompressionStream (Chromium 80, Firefox 113, Safari 16.4)');
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/**
 * A document, a directory and columns (src/export/html/packed.hpp).
 * @param {Uint8Array} packed
 * @returns {Promise<{document: any, directory: any, buffer: ArrayBuffer, begin: number}>} `begin` of the columns
 */
export async function piecesOf(packed) {
    const buffer = await unpacked(packed);
    const ascii = (/** @type {number} */ from, /** @type {number} */ size) => new TextDecoder().decode(new Uint8Array(buffer, from, size));
    if (ascii(0, 8) !== 'vftrace1') throw new Error('the data is of another version than the page');
    const sizes = new DataView(buffer);
    const documentSize = sizes.getUint32(8, true), directorySize = sizes.getUint32(12, true), begin = 16 + documentSize + directorySize;
    const document = JSON.parse(ascii(16, documentSize));
    return {document, directory: JSON.parse(ascii(16 + documentSize, directorySize)), buffer, begin};
}

/**
 * @param {Uint8Array} packed the data of a run
 * @param {import('./served.js').Server|null} server that has more of it
 * @returns {Promise<Run>}
 */
export async function read(packed, server) {
    const {document, directory, buffer, begin} = await piecesOf(packed);
    const trees = directory.profiles.map((/** @type {any} */ profile) => new CallTree(profile, buffer, begin, directory.root_note));
    const profiles = document.profiles.map((/** @type {any} */ profile, /** @type {number} */ i) => new Profile(profile, trees[i]));
    return new Run(document, profiles, directory.timeline ? new Timeline(directory.timeline, trees[directory.timeline.profile], buffer, begin + directory.bytes) : null,
        directory.ranks ? new RankTimes(directory.ranks, buffer, begin) : null, directory.processes ?? [], directory.sources ?? [], server);
}
