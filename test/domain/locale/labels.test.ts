import assert from 'node:assert/strict';
import { memberLabel, memberLabels, referredBy } from '../../../domain/locale/labels.ts';

describe('labels of columns', () => {
  it('are words in the language of the company', () => {
    const labels = ['paymentTermDays', 'created_at', 'partner.nif', 'billingAddress.zipCode', 'iban'];
    assert.deepEqual(
      labels.map((name) => memberLabel(name, 'en')),
      ['Payment term days', 'Created at', 'Partner: tax ID', 'Billing address: zip code', 'IBAN'],
    );
    assert.deepEqual(
      labels.map((name) => memberLabel(name, 'es')),
      ['Días de pago', 'Creado el', 'Tercero: NIF', 'Facturación: código postal', 'IBAN'],
    );
    assert.deepEqual([memberLabel('colour', 'es'), memberLabels('name')], ['Colour', ['Nombre', 'Name']]);
    assert.deepEqual(['groupId', 'account_id', 'id', 'name'].map(referredBy), ['group', 'account', 'id', 'name']);
  });
});
