import assert from 'node:assert/strict';
import {
  filtersFail,
  keepsFailing,
  NOT_WANTED,
  secretLost,
  switchedOff,
} from '../../../../domain/integrations/webhooks/notices.ts';
import { formatsFor } from '../../../../domain/locale/formats.ts';
import { eventNotice } from '../../../../domain/messages/notifications/texts.ts';
import { DOC_TYPES, DOCUMENT_TYPES, spanishTitle, typeTitle } from '../../../../domain/trade/documents/types.ts';

const COMPANY = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 2 };

describe('texts of notifications', () => {
  const told = (event: string, data: Record<string, string>) => {
    const notice = eventNotice({ event, entityId: 'x', data, code: 'A-1' });
    assert.ok(notice, event);
    return { en: notice.text(formatsFor(COMPANY, 'en-GB')), es: notice.text(formatsFor(COMPANY, 'es-ES')) };
  };

  for (const code of DOC_TYPES) {
    it(`describes a ${typeTitle(code)} in both languages`, () => {
      for (const event of ['document.locked', 'document.sent']) {
        const data = { document_type: DOCUMENT_TYPES[code].name, partner_name: 'Cliente', previous_status: 'D' };
        const { en, es } = told(event, data);
        assert.match(en.title, new RegExp(`^${typeTitle(code)} A-1 was (posted|sent)$`));
        const article = DOCUMENT_TYPES[code].kind === 'invoice' || code === 'PR' ? 'la' : 'el';
        assert.ok(es.title.endsWith(` ${article} ${spanishTitle(code).toLowerCase()} A-1`), es.title);
        assert.deepEqual([en.actionLabel, es.actionLabel], ['Show', 'Ver']);
      }
    });
  }

  it('has no notice for locking a document that was already posted', () => {
    const data = { document_type: 'sales_delivery_note', partner_name: 'Cliente' };
    assert.equal(eventNotice({ event: 'document.locked', entityId: 'x', data, code: 'A-1' }), null);
  });

  it('names at most three recipients of a document', () => {
    const sentTo = (to: string) => told('document.sent', { document_type: 'sales_invoice', partner_name: 'Bar', to });
    assert.equal(sentTo('a@x.test, b@x.test, c@x.test').en.body, 'Bar, a@x.test, b@x.test, c@x.test');
    const { en, es } = sentTo('a@x.test, b@x.test, c@x.test, d@x.test, e@x.test');
    assert.equal(en.body, 'Bar, a@x.test, b@x.test, c@x.test and 2 more');
    assert.equal(es.body, 'Bar, a@x.test, b@x.test, c@x.test y 2 más');
  });

  it('describes payments in both languages', () => {
    for (const event of ['payment.received', 'payment.made']) {
      const { en, es } = told(event, { amount: '1234.5', currency: 'EUR', partner_name: 'Cliente' });
      assert.match(en.title, /^Payment of .*1,234\.50.* (received|made)$/);
      assert.match(es.title, /^(Cobro|Pago) de 1\.?234,50/);
    }
  });

  it('describes webhooks in both languages, with the same names and addresses', () => {
    const failing = { failures: 40, failingSince: '2026-06-15T10:00:00.000Z', error: 'HTTP 500' };
    const notices = [
      keepsFailing('Shop', failing, '2026-06-20T10:00:00.000Z'),
      switchedOff('Shop', 'w1', NOT_WANTED),
      filtersFail('Shop', 'w1', 'document.locked', 'No such field'),
      secretLost('Shop', 'w1', 'document.locked'),
    ];
    const facts = ({ title, body }: { title: string; body: string }) =>
      `${title} ${body}`.match(/Shop|HTTP 500|POST \/api\S+[a-z]|\d{4}-\d\d-\d\d|document\.locked|No such field/g);
    for (const { es, ...en } of notices) {
      assert.deepEqual(facts(es), facts(en));
      assert.notEqual(es.title, en.title);
    }
  });
});
