import assert from 'node:assert/strict';
import { maskedUrl } from '../../../../domain/integrations/webhooks/urls.ts';

describe('addresses in the audit log', () => {
  for (const [url, shown] of [
    ['https://example.com/hook', 'https://example.com/hook'],
    ['https://example.com:8443/hook?token=abc&mode=', 'https://example.com:8443/hook?token=•••&mode=•••'],
    ['https://user:password@example.com/', 'https://•••@example.com/'],
    ['https://example.com/?abc', 'https://example.com/?•••'],
    ['https://example.com/?a=b=c&d&&', 'https://example.com/?a=•••&•••&&'],
    ['https://example.com/#abc', 'https://example.com/#•••'],
    ['https://example.com/{{document.code}}?q={{document.id}}', 'https://example.com/{{document.code}}?q=•••'],
    ['', ''],
  ] as const) {
    it(`show ${shown || 'nothing'}`, () => {
      assert.equal(maskedUrl(url), shown);
      assert.equal(maskedUrl(shown), shown);
    });
  }
});
