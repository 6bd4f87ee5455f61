import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describeService } from '../../../clients/description.ts';
import { type ApiChange, apiChanges } from '../../../tools/api-changes.ts';

/**
 * Descriptions of releases. A release records its own: UPDATE_RELEASED_API=1 npx mocha test/api/openapi/released.test.ts
 */
const RELEASED = join(import.meta.dirname, 'released');

/** Changes that break clients all the same: each is in CHANGELOG.md. */
const ACCEPTED: readonly (readonly [reason: string, change: RegExp])[] = [
  ['a net income for each year', /^(GET|PUT) \/api\/config\/tax 200 \/priorYearNetIncome may be anything$/],
  [
    'departments of fewer than three people have no costs for those who may not read payrolls',
    /^GET \/api\/reports\/labor-cost 200 \/(data\/rows\/\*|summary)\/(gross|employer_contributions|total) may be null$/,
  ],
  ['years not closed are on no account yet', /^GET \/api\/reports\/trial-balance 200 .*\/account_id may be null$/],
  ['one of them says when it runs', /^GET \/api\/(automations|report-schedules) 200 \/data\/\*\/next_runs is gone$/],
  [
    'conditions have groups',
    /^\w+ \/api\/automations\S* 20\d .*\/conditions(\/\*\/(field|operator))? may be (object|missing)$/,
  ],
  [
    'requests of rules have a body of any form',
    /^\w+ \/api\/automations\S* 20\d .*\/actions\/\*\/body may be anything$/,
  ],
  [
    'there were no such taxes before 1986, and nobody files so far ahead',
    /^(GET|POST) \/api\/(tax-returns|pro-rata|reports\/(tax|withholding-cert))\S* .*year has (minimum 1986, not 1900|maximum 2199, not 9997)$/,
  ],
  ['nothing larger could be stored', /^PATCH \S+ body \S+ has exclusive(Min|Max)imum -?1000000000000$/],
];

const told = ({ operation, place, change }: ApiChange) => `${operation} ${place} ${change}`;

/** Without what clients are not generated from: words and examples. */
function bare(value: unknown, names = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => bare(entry));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => names || !WORDS.test(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, bare(inner, NAMED.test(name) && !names)]));
}
const WORDS = /^(description|summary|examples?|title|tags|deprecated|headers|x-.*)$/;
/** Objects whose members have names of the interface, which may be those of words. */
const NAMED = /^(properties|patternProperties|schemas|parameters|responses|requestBodies|paths)$/;

describe('the description of the interface, compared with that of the last release', () => {
  const current = () => bare({ ...describeService(), info: undefined, tags: undefined }) as Record<string, unknown>;

  it('breaks no clients, but where it must', () => {
    const { version } = JSON.parse(readFileSync(join(RELEASED, '../../../../package.json'), 'utf8'));
    if (process.env.UPDATE_RELEASED_API !== undefined) {
      writeFileSync(join(RELEASED, `${version}.json.gz`), gzipSync(JSON.stringify(current()), { level: 9 }));
    }
    const releases = readdirSync(RELEASED).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
    const last = releases.at(-1) ?? '';
    const released = JSON.parse(gunzipSync(readFileSync(join(RELEASED, last))).toString());
    const changes = apiChanges(released, current());
    const breaking = changes.filter(({ breaks }) => breaks).map(told);
    const refused = breaking.filter((change) => !ACCEPTED.some(([, accepted]) => accepted.test(change)));
    assert.deepEqual(refused, [], `these break clients of ${last}: undo them, or accept them here and in CHANGELOG.md`);
    const unused = ACCEPTED.filter(([, accepted]) => !breaking.some((change) => accepted.test(change)));
    assert.deepEqual(unused, [], 'nothing is accepted that did not change');
  });
});

describe('changes of an interface', () => {
  interface Operation {
    readonly query?: Record<string, unknown>;
    readonly body?: unknown;
    readonly answer?: unknown;
  }
  const document = (operation: Operation, schemas = {}) => ({
    paths: {
      '/api/things': {
        post: {
          parameters: Object.entries(operation.query ?? {}).map(([name, schema]) => ({ name, in: 'query', schema })),
          ...(operation.body === undefined
            ? {}
            : { requestBody: { required: true, content: { 'application/json': { schema: operation.body } } } }),
          responses: { 200: { content: { 'application/json': { schema: operation.answer ?? {} } } } },
        },
      },
    },
    components: { schemas },
  });
  const changes = (before: Operation, after: Operation, schemas = {}) =>
    apiChanges(document(before, schemas), document(after, schemas)).map(
      ({ breaks, place, change }) => `${breaks ? 'breaks' : 'adds'}: ${place} ${change}`,
    );
  const object = (properties: Record<string, unknown>, required: string[] = []) => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });
  const text = { type: 'string' };

  it('break clients where a request is refused that was taken', () => {
    const before = {
      query: { q: text },
      body: object({ name: text, kind: { enum: ['a', 'b'] }, price: { type: 'number' } }),
    };
    const after = {
      body: object({ name: { ...text, maxLength: 5 }, kind: { enum: ['a'] }, price: { type: 'string' }, code: text }, [
        'code',
      ]),
    };
    assert.deepEqual(changes(before, after), [
      'breaks: ?q is no longer taken',
      'breaks: body /name has maxLength 5',
      'breaks: body /kind no longer takes "b"',
      'breaks: body /price no longer takes number',
      'breaks: body /code is required',
    ]);
    assert.deepEqual(changes({ body: object({ name: text }) }, { body: object({}) }), [
      'breaks: body /name is no longer taken',
    ]);
    assert.deepEqual(changes({}, { body: object({}) }), ['breaks: body is required']);
  });

  it('break clients where an answer lacks what was promised', () => {
    const before = {
      answer: object({ id: text, name: text, lines: { type: 'array', items: object({ no: text }, ['no']) } }, [
        'id',
        'name',
      ]),
    };
    const after = {
      answer: object({ id: { type: ['string', 'null'] }, name: text, lines: { type: 'array', items: object({}) } }, [
        'id',
      ]),
    };
    assert.deepEqual(changes(before, after), [
      'breaks: 200 /id may be null',
      'breaks: 200 /name may be missing',
      'breaks: 200 /lines/*/no is gone',
    ]);
  });

  it('break nobody where something is added', () => {
    const before = { body: object({ name: text }), answer: object({ status: { enum: ['draft'] } }, ['status']) };
    const after = {
      query: { q: text },
      body: object({ name: { type: ['string', 'null'] }, note: text }),
      answer: object({ status: { enum: ['draft', 'locked'] }, total: { type: 'number' } }, ['status', 'total']),
    };
    assert.deepEqual(changes(before, after), [
      'adds: ?q is taken',
      'adds: body /note is taken',
      'adds: 200 /status may be "locked"',
      'adds: 200 /total is new',
    ]);
  });

  it('are none where the same is written in another way', () => {
    const schemas = { Name: text, Thing: object({ name: { $ref: '#/components/schemas/Name' } }, ['name']) };
    const nullable = { anyOf: [{ $ref: '#/components/schemas/Name' }, { type: 'null' }] };
    const before = { body: object({ name: { type: ['string', 'null'] } }), answer: object({ name: text }, ['name']) };
    const after = { body: object({ name: nullable }), answer: { allOf: [{ $ref: '#/components/schemas/Thing' }] } };
    assert.deepEqual(changes(before, after, schemas), []);
  });

  it('include operations that are gone or new', () => {
    const one = document({});
    const none = { paths: {} };
    assert.deepEqual(apiChanges(one, none).map(told), ['POST /api/things  is gone']);
    assert.deepEqual(
      apiChanges(none, one).map(({ breaks }) => breaks),
      [false],
    );
  });
});
