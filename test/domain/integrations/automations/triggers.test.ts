import assert from 'node:assert/strict';
import { isTriggered, triggerTypes } from '../../../../domain/integrations/automations/triggers.ts';

describe('triggers of rules', () => {
  const posted = {
    document_type: 'sales_invoice',
    status: 'O',
    previous_status: 'D',
    changed_fields: ['status', 'number'],
  };

  it('are of the types that an event may be for', () => {
    assert.deepEqual(triggerTypes('document.locked'), ['document.updated', 'document.status_changed']);
    assert.deepEqual(triggerTypes('document.paid'), ['document.paid']);
    assert.deepEqual([triggerTypes('payment.made'), triggerTypes('stock.low')], [['payment.made'], ['stock.low']]);
    assert.deepEqual(triggerTypes('stock.movement'), []);
  });

  it('match only documents of their type', () => {
    const of = (document_type: string) => isTriggered({ type: 'document.updated', document_type }, posted);
    assert.deepEqual([of('sales_invoice'), of('sales_order')], [true, false]);
  });

  it('match changes of the members that they name, in either spelling', () => {
    const of = (...changed_fields: string[]) =>
      isTriggered(
        { type: 'document.updated', changed_fields },
        { ...posted, changed_fields: ['internalNotes', 'custom_my_route'] },
      );
    assert.deepEqual(
      [of('internalNotes'), of('internal_notes'), of('custom_my_route'), of('notes'), of('notes', 'internalNotes')],
      [true, true, true, false, true],
    );
  });

  it('match changes of the state, from and to the states that they name', () => {
    const of = (states: object, payload: object = posted) =>
      isTriggered({ type: 'document.status_changed', ...states }, { ...payload });
    assert.deepEqual(
      [of({}), of({ from_status: 'D' }), of({ to_status: 'O' }), of({ from_status: 'O' }), of({ to_status: 'C' })],
      [true, true, true, false, false],
    );
    const { previous_status: _, ...same } = posted;
    assert.equal(of({}, same), false);
  });
});
