import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EVENT_CATALOGUE, EVENT_NAMES } from '../../../../domain/integrations/webhooks/events.ts';
import { OPERATORS } from '../../../../domain/platform/conditions/conditions.ts';
import { deliveryHeaders } from '../../../../services/integrations/webhooks/envelope.ts';

const PAGE = readFileSync('docs/webhooks.md', 'utf8');

function snippet(language: string): string {
  const code = PAGE.split(`\`\`\`${language}\n`)[1]?.split('```')[0];
  assert.ok(code, `the page has code in ${language}`);
  return code;
}

describe('the page about webhooks', () => {
  it('has every event with the members of its data, and every operator', () => {
    const rows = EVENT_NAMES.map((event) => {
      const { description, schema } = EVENT_CATALOGUE[event];
      const members = Object.keys((schema as unknown as { properties: object }).properties);
      return `| \`${event}\` | ${description} | ${members.join(', ')} |`;
    });
    assert.deepEqual(PAGE.match(/^\| `[a-z]+\.[a-z]+` .*$/gm), rows);
    for (const operator of OPERATORS) assert.match(PAGE, new RegExp(`^\\| .*\`${operator}\``, 'm'), operator);
  });

  describe('checks signatures', () => {
    const secret = `whsec_${Buffer.from('a secret of this test').toString('base64')}`;
    const body = '{"total":12.5,"name":"Ñandú"}';
    const now = 1_780_000_000;
    const event = {
      id: 'e',
      tenantId: 't',
      event: 'user.created',
      createdAt: '',
      documentId: null,
      payload: '{}',
      test: false,
      aboutWebhookId: null,
    };
    const signed = (secrets: string[], raw = body, at = now) => [
      secret,
      deliveryHeaders(event, raw, secrets, at),
      body,
      now,
    ];
    const cases = [
      signed([secret]),
      signed(['another one', secret]),
      signed([secret], body, now - 299),
      signed(['another one']),
      signed([secret], `${body} `),
      signed([secret], body, now - 301),
      signed([secret], body, now + 301),
      signed([]),
      [secret, {}, body, now],
    ];
    const verdicts = [true, true, true, false, false, false, false, false, false];
    const run = (command: string, args: string[]) => {
      const { stdout, stderr, status } = spawnSync(command, args, { input: JSON.stringify(cases), encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), verdicts);
    };

    it('in JavaScript', () => {
      const rest = `import { readFileSync } from 'node:fs';
        console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map((one) => isGenuine(...one))));`;
      run(process.execPath, ['--input-type=module', '-e', snippet('js') + rest]);
    });

    it('in Python', function () {
      if (spawnSync('python3', ['--version']).status !== 0) this.skip();
      const rest = `
import json, sys
print(json.dumps([is_genuine(s, h, b.encode(), n) for s, h, b, n in json.load(sys.stdin)]))`;
      run('python3', ['-c', snippet('python') + rest]);
    });

    it('in PHP', function () {
      if (spawnSync('php', ['--version']).status !== 0) this.skip();
      const rest =
        'echo json_encode(array_map(fn($one) => is_genuine(...$one), json_decode(stream_get_contents(STDIN), true)));';
      run('php', ['-r', snippet('php') + rest]);
    });
  });
});
