import assert from 'node:assert/strict';
import {
  deliveryTitle,
  endInWords,
  failureInWords,
  hostName,
  reasonInWords,
  redeliveryTitle,
  shortName,
  timeInWords,
  waitInWords,
} from '../../../../domain/integrations/webhooks/texts.ts';

const NOW = new Date('2026-06-15T23:30:00.000Z');
const FOURTH = { turn: 4, of: 8, logged: 4 };

describe('the description of a delivery', () => {
  it('says which attempt failed, why, where, and when the next one is', () => {
    const reason = reasonInWords('HTTP 500', 500, 'shop.example.com');
    assert.equal(
      failureInWords(FOURTH, reason, 1380, NOW),
      'Attempt 4 of 8 failed: HTTP 500 from shop.example.com; next at 23:53 UTC',
    );
    assert.equal(
      failureInWords(
        { turn: 1, of: 3, logged: 9 },
        reasonInWords('The connection was refused', null, 'a.test'),
        5,
        NOW,
      ),
      'Attempt 1 of 3 (number 9 in the log) failed: The connection was refused (a.test); next at 23:30:05 UTC',
    );
  });

  it('names the day if it is another', () => {
    assert.equal(timeInWords(new Date('2026-06-16T23:30:00Z'), NOW), '2026-06-16 23:30 UTC');
  });

  it('says that a delivery has ended', () => {
    assert.equal(
      endInWords({ turn: 8, of: 8, logged: 8 }, 'HTTP 500 from a.test'),
      'Given up after attempt 8 of 8: HTTP 500 from a.test',
    );
  });

  it('says that waiting uses no attempt, and how the last one went', () => {
    const wait = { reason: 'the rate of the webhook is used up', host: 'a.test', seconds: 1.5 };
    assert.equal(
      waitInWords(FOURTH, { ...wait, before: 'HTTP 500' }, NOW),
      'Attempt 4 of 8 waits for a.test: the rate of the webhook is used up. Nothing was sent and no attempt is spent; next look at ' +
        '23:30:02 UTC. Before: HTTP 500',
    );
    assert.match(waitInWords(FOURTH, { ...wait, before: null }, NOW), /23:30:02 UTC$/);
  });

  it('names content and target in one short line of plain text', () => {
    assert.equal(
      deliveryTitle('document.locked', 'SINV2026-00017', 'Shop'),
      'document.locked of SINV2026-00017 to Shop',
    );
    assert.equal(deliveryTitle('user.created', null, 'CRM\n *new* `[x](y)`'), 'user.created to CRM new x(y)');
    assert.equal(redeliveryTitle('stock.low', null, 'Shop'), 'stock.low to Shop, redelivered');
    const long = shortName('é'.repeat(500));
    assert.equal([...long].length, 60);
    assert.ok(
      Buffer.byteLength(deliveryTitle('document.cancelled', 'S'.repeat(60), '𝄞'.repeat(500))) <= 400,
      'the limit of Temporal',
    );
  });

  it('shows only the host of an address', () => {
    assert.equal(hostName('https://user:secret@shop.example.com:8443/hook?token=abc#x'), 'shop.example.com');
  });
});
