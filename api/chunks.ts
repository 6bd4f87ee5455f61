/** Refuses bodies that come in thousands of tiny chunks: node calls back for each, so that a byte in a chunk costs microseconds. */
import { IncomingMessage, type Server } from 'node:http';

/** Chunks that any body may have; more must have so many bytes each, on average. */
const ANY = 500;
const LEAST_BYTES = 100;

/** Code of the error that `answerClientErrors` answers. */
export const TINY_CHUNKS = 'TINY_CHUNKS';

/** Limits the chunks of all bodies, whoever reads them. */
export function limitChunks(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (request.headers['transfer-encoding'] === undefined) return;
    let [chunks, bytes] = [0, 0];
    request.push = (chunk: Buffer | null, encoding) => {
      chunks += 1;
      bytes += chunk?.length ?? 0;
      const refused = chunks > ANY && bytes < chunks * LEAST_BYTES;
      if (!refused) return IncomingMessage.prototype.push.call(request, chunk, encoding);
      if (!request.socket.writableEnded) {
        server.emit('clientError', Object.assign(new Error('Tiny chunks'), { code: TINY_CHUNKS }), request.socket);
      }
      return false;
    };
  });
}
