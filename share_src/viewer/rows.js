// SPDX-License-Identifier: BSD-3-Clause
// A table of any number of rows, of which only those exist that are seen. Sorted by a click on a title.
import {element} from './dom.js';
import {csvCell} from './format.js';

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {string} width of a grid's column
 * @property {boolean} [number] aligned right, and sorted from the largest on
 * @property {(row: any) => string|number} value what is copied
 * @property {(row: any) => number} [order] what rows are sorted by; otherwise the value
 * @property {(row: any) => string|Node} [shown] otherwise the value
 */

const RowHeight = 1.75; // em; as in style.css
const MostRows = 500000; // browsers know no element that is much higher
const Margin = 20; // rows beyond what is seen

export class Rows {
    /**
     * @param {Column[]} columns
     * @param {{sort: string, chosen?: (row: any) => void, isChosen?: (row: any) => boolean, sorted?: (title: string) => void}} options `sort` is a title, with "-" before it from the other end on
     */
    constructor(columns, options) {
        this.columns = columns;
        this.options = options;
        this.sort = options.sort;
        /** @type {any[]} */
        this.rows = [];
        this.template = columns.map(column => column.width).join(' ');
        this.titles = element('div', {class: 'row titles', role: 'row', style: `grid-template-columns: ${this.template}; position: sticky`});
        this.space = element('div', {style: 'position: relative'});
        this.box = element('div', {class: 'rows', role: 'table', tabindex: 0, onscroll: () => this.draw()}, this.titles, this.space);
        new ResizeObserver(() => this.draw()).observe(this.box);
    }

    /** @param {any[]} rows */
    fill(rows) {
        this.rows = rows;
        this.order();
    }

    order() {
        const backwards = this.sort.startsWith('-');
        const column = this.columns.find(one => one.title === this.sort.replace(/^-/, '')) ?? this.columns[0];
        const direction = Boolean(column.number) === backwards ? 1 : -1;
        const value = column.order ?? column.value, sorted = this.rows.map(row => ({row, value: value(row)})); // each value once, as there may be a million rows
        sorted.sort(({value: x}, {value: y}) => x === y ? 0 : x < y === (direction === 1) ? -1 : 1);
        this.rows = sorted.map(({row}) => row);
        this.titles.replaceChildren(...this.columns.map(one => element('button', {
            class: one.number ? 'number' : '', role: 'columnheader', 'aria-sort': one === column ? (direction === 1 ? 'ascending' : 'descending') : null,
            onclick: () => this.sortBy(one.title)}, one.title + (one === column ? (direction === 1 ? ' ▲' : ' ▼') : ''))));
        this.draw();
    }

    /** @param {string} title */
    sortBy(title) {
        this.sort = this.sort === title ? '-' + title : title;
        this.options.sorted?.(this.sort);
        this.order();
    }

    draw() {
        const em = parseFloat(getComputedStyle(this.box).fontSize), height = RowHeight * em;
        const shown = Math.min(this.rows.length, MostRows);
        this.space.style.height = `${shown * height}px`;
        const first = Math.max(0, Math.floor(this.box.scrollTop / height) - Margin);
        const last = Math.min(shown, Math.ceil((this.box.scrollTop + this.box.clientHeight) / height) + Margin);
        this.space.replaceChildren(...this.rows.slice(first, last).map((row, i) => element('div', {
            class: 'row' + (this.options.isChosen?.(row) ? ' chosen' : ''), role: 'row', style: `grid-template-columns: ${this.template}; top: ${(first + i) * height}px`,
            onclick: () => this.options.chosen?.(row)},
            ...this.columns.map(column => {
                const shown = column.shown ? column.shown(row) : column.value(row);
                return element('span', {class: column.number ? 'number' : '', role: 'cell', title: typeof shown === 'string' ? shown : null}, shown);
            }))));
    }

    /** As comma-separated values, in the order that is shown. */
    csv() {
        return [this.columns.map(column => csvCell(column.title)), ...this.rows.map(row => this.columns.map(column => csvCell(column.value(row))))]
            .map(cells => cells.join(',')).join('\r\n') + '\r\n';
    }
}
