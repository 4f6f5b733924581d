// SPDX-License-Identifier: BSD-3-Clause
// The server of a page that vftr html --serve shows: it has the data, more detail of the timeline, and news of a program that runs. What it answers is
// described in config_tools/serve/page_server.hpp.

const Pause = 2000; // ms between questions whether there is more

export class Server {
    constructor() {
        this.number = -1;
        this.running = false;
    }

    /** @param {string} what */
    async ask(what) {
        const answer = await fetch(what, {cache: 'no-store'});
        if (!answer.ok && answer.status !== 404) throw new Error(`the server says: ${(await answer.text()).trim()}`);
        return answer;
    }

    /** The data as they are now, packed. */
    async data() {
        await this.look();
        return new Uint8Array(await (await this.ask('data')).arrayBuffer());
    }

    async look() {
        const {state, running} = await (await this.ask('state')).json(), changed = state !== this.number;
        this.number = state;
        this.running = running;
        return changed;
    }

    /**
     * Calls of a part of the timeline, packed; null: the data are others by now.
     * @param {number} from
     * @param {number} to
     * @param {number} shortest
     */
    async part(from, to, shortest) {
        const answer = await this.ask(`timeline?from=${Math.floor(from)}&to=${Math.ceil(to)}&shortest=${Math.floor(shortest)}&state=${this.number}`);
        return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
    }

    /**
     * Calls changed() after each change, as long as the program runs.
     * @param {() => Promise<void>} changed
     */
    async follow(changed) {
        while (this.running) {
            await new Promise(end => setTimeout(end, Pause));
            if (document.hidden) continue;
            if (await this.look()) await changed();
        }
    }
}
