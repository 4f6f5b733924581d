// SPDX-License-Identifier: BSD-3-Clause
// What has changed between two runs, as vftr diff finds it: src/compare/comparison_page.hpp describes the data. Times are in seconds, as those of vftr diff.
import {CallTree, piecesOf} from './data.js';

const None = 0xffffffff;

/**
 * A row of vftr diff --format=json: a function, or a call path.
 * @typedef {object} Change
 * @property {string} function
 * @property {number} base
 * @property {number} new
 * @property {number} difference
 * @property {number} [ratio]
 * @property {number} [low]
 * @property {number} [high]
 * @property {number[]} base_calls the least and the most of the runs
 * @property {number[]} new_calls
 * @property {boolean} calls_estimated
 * @property {boolean} calls_changed
 * @property {string} verdict
 * @property {string} [renamed_from]
 * @property {string} [moved_from]
 * @property {string} [remark] of functions that matter
 * @property {number} [base_median_call_ns] how long single calls take, and so those of 90 % and 99 %, where that was recorded
 * @property {number} [new_median_call_ns]
 * @property {number} [base_p90_call_ns]
 * @property {number} [new_p90_call_ns]
 * @property {number} [base_p99_call_ns]
 * @property {number} [new_p99_call_ns]
 */

/**
 * A row of the tree as such a row: there may be a million.
 * @implements {Change}
 */
export class PathChange {
    /**
     * @param {Difference} of
     * @param {number} row
     */
    constructor(of, row) {
        this.of = of;
        this.row = row;
    }
    get function() { return this.of.tree.title(this.row); }
    get base() { return this.of.tree.column.base[this.row]; }
    get new() { return this.of.tree.column.new[this.row]; }
    get difference() { return this.new - this.base; }
    get ratio() { return this.figure('ratio'); }
    get low() { return this.figure('low'); }
    get high() { return this.figure('high'); }
    get base_calls() { return [this.of.tree.column.base_calls[this.row], this.of.tree.column.base_calls_most[this.row]]; }
    get new_calls() { return [this.of.tree.column.new_calls[this.row], this.of.tree.column.new_calls_most[this.row]]; }
    get calls_changed() { return (this.of.tree.column.changed[this.row] & 1) !== 0; }
    get calls_estimated() { return (this.of.tree.column.changed[this.row] & 2) !== 0; }
    get verdict() { return this.of.verdicts[this.of.tree.column.verdict[this.row]]; }
    get renamed_from() { return this.name('renamed_from'); }
    get moved_from() { return this.name('moved_from'); }
    get base_median_call_ns() { return this.figure('base_median_call_ns'); }
    get new_median_call_ns() { return this.figure('new_median_call_ns'); }
    get base_p90_call_ns() { return this.figure('base_p90_call_ns'); }
    get new_p90_call_ns() { return this.figure('new_p90_call_ns'); }
    get base_p99_call_ns() { return this.figure('base_p99_call_ns'); }
    get new_p99_call_ns() { return this.figure('new_p99_call_ns'); }

    /** @param {string} column */
    figure(column) {
        const value = this.of.tree.column[column]?.[this.row];
        return Number.isNaN(value) ? undefined : value;
    }
    /** @param {string} column */
    name(column) {
        const name = this.of.tree.column[column][this.row];
        return name === None ? undefined : this.of.tree.titles[name];
    }
}

export class Difference {
    /**
     * @param {any} document
     * @param {CallTree} tree that of all runs of both sides
     * @param {string[]} verdicts
     */
    constructor(document, tree, verdicts) {
        this.answer = /** @type {string} */ (document.answer);
        this.notes = /** @type {string[]} */ (document.notes);
        this.functions = /** @type {Change[]} */ (document.functions.rows);
        /** Those that vftr diff prints without --all. */
        this.telling = document.telling.map((/** @type {number} */ index) => this.functions[index]);
        this.telling.forEach((/** @type {Change} */ one, /** @type {number} */ i) => one.remark = document.remarks[i]);
        this.tree = tree;
        this.hasDurations = tree.column.base_median_call_ns !== undefined;
        this.verdicts = verdicts;
    }

    /** @param {number} row of the tree */
    at(row) {
        return new PathChange(this, row);
    }

    /** Those that a run has: what has moved is where the new run has it. */
    paths() {
        const {verdict} = this.tree.column;
        return Array.from({length: this.tree.rows}, (_, row) => row).filter(row => verdict[row] !== None).map(row => this.at(row));
    }
}

/** @param {Uint8Array} packed */
export async function readDifference(packed) {
    const {document, directory, buffer, begin} = await piecesOf(packed);
    return new Difference(document, new CallTree(directory.profiles[0], buffer, begin, directory.root_note), directory.verdicts);
}

/** @param {number[]} calls of the runs */
const range = ([least, most]) => least === most ? least.toLocaleString('en-US') : `${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;

/**
 * @param {Change} one
 * @param {number[]} calls
 */
export const callsText = (one, calls) => (one.calls_estimated ? '≈' : '') + range(calls);

/**
 * "1.05 (1.02 to 1.08)"; empty: not known.
 * @param {Change} one
 */
export const ratioText = one => one.ratio === undefined ? '' : one.ratio < 1000 ? one.ratio.toFixed(3) : '>999';

/** @param {Change} one */
export const intervalText = ({low, high}) => low === undefined || high === undefined ? '' : [low, high].map(end => end < 1000 ? end.toFixed(3) : '>999').join(' to ');

/**
 * What is said of a row beside its figures.
 * @param {Change} one
 * @param {(name: string) => string} brief
 */
export const remarkText = (one, brief) => one.remark ?? [one.renamed_from && `renamed: was ${brief(one.renamed_from)}`, one.moved_from && `moved: was called by ${brief(one.moved_from)}`, one.calls_changed && 'other calls'].filter(Boolean).join(', ');
