/** A plugin in 60 lines: it verifies requests, writes its custom field with its token, and fires a hook (docs/guide.md). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const { SERVICE = '', PLUGIN_ID = '', TOKEN = '', SECRET = '', PORT = '0' } = process.env;
/** Maximum age of requests; older ones may be replays. */
const MAX_AGE_SECONDS = 300;
/** Keys of completed requests: the service repeats requests without an answer. A real plugin stores the keys in its database. */
const done = new Set<string>();

/** Calls the service. @throws Error with the answer if it refuses */
async function call(method: string, path: string, key: string, body: object): Promise<void> {
  const answer = await fetch(`${SERVICE}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

function isSigned(headers: IncomingHttpHeaders, raw: string): boolean {
  const timestamp = Number(headers['x-service-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - timestamp) < MAX_AGE_SECONDS)) return false;
  const expected = Buffer.from(`sha256=${createHmac('sha256', SECRET).update(`${timestamp}.${raw}`).digest('hex')}`);
  // After a rotation there are two signatures.
  return String(headers['x-service-signature'])
    .split(',')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

async function answer(path: string, headers: IncomingHttpHeaders, raw: string): Promise<number> {
  if (path === '/scan') {
    // Sent by a scanner on the plugin's own network; a rule decides what follows.
    await call('POST', `/api/plugins/${PLUGIN_ID}/hooks/scanned`, String(headers['idempotency-key']), JSON.parse(raw));
    return 202;
  }
  if (!isSigned(headers, raw)) return 401;
  if (path !== '/actions/print-label') return 404;
  const { id, params } = JSON.parse(raw) as { id: string; params: { item_id: string; text: string } };
  if (done.has(id)) return 200;
  await call('PATCH', `/api/items/${params.item_id}`, id, { custom_label: params.text });
  done.add(id);
  return 200;
}

createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = await answer(request.url ?? '', request.headers, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(status).end();
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log('The plugin is listening'));
