// SPDX-License-Identifier: BSD-3-Clause
// What browsers have and TypeScript 4.8 does not know yet (Compression Streams, https://wicg.github.io/compression/).
declare class DecompressionStream {
    constructor(format: 'gzip' | 'deflate' | 'deflate-raw');
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
}
