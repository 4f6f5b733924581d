// SPDX-License-Identifier: BSD-3-Clause
// Elements. Text stays text: nothing here parses HTML, as names of functions may look like it.

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] those that begin with "on" are listeners
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
        else if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value === true ? '' : String(value));
    }
    for (const child of children)
        if (child !== null && child !== undefined && child !== false) made.append(child instanceof Node ? child : String(child));
    return made;
}

/**
 * A table of a few rows.
 * @param {string[]} titles
 * @param {(Node|string)[][]} rows
 * @param {number[]} numbers columns of numbers
 */
export function smallTable(titles, rows, numbers) {
    const cell = (/** @type {string} */ tag, /** @type {Node|string} */ content, /** @type {number} */ column) =>
        element(tag, numbers.includes(column) ? {class: 'number'} : {}, content);
    return element('table', {},
        element('thead', {}, element('tr', {}, ...titles.map((title, i) => cell('th', title, i)))),
        element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map((content, i) => cell('td', content, i))))));
}

/**
 * @param {number} share from 0 to 1
 * @param {number} [widest] in em
 */
export const bar = (share, widest = 12) =>
    element('span', {class: 'bar', style: `width: ${(Math.max(0, Math.min(1, share)) * widest).toFixed(2)}em`});

/**
 * What a colour means.
 * @param {string} colour
 * @param {string} text
 */
export const legend = (colour, text) => element('span', {class: 'legend'}, element('span', {class: 'mark', style: `background: ${colour}`}), ' ' + text);

/**
 * What the mouse is on; null hides it.
 * @param {string|null} text
 * @param {{clientX: number, clientY: number}} [at]
 */
export function tip(text, at) {
    let box = document.getElementById('tip');
    if (text === null) return box?.remove();
    if (!box) document.body.append(box = element('div', {id: 'tip', role: 'status'}));
    box.textContent = text;
    const {width, height} = box.getBoundingClientRect();
    box.style.left = Math.max(0, Math.min((at?.clientX ?? 0) + 14, innerWidth - width - 8)) + 'px';
    box.style.top = Math.max(0, Math.min((at?.clientY ?? 0) + 14, innerHeight - height - 8)) + 'px';
}
