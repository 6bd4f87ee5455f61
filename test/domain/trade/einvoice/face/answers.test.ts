import assert from 'node:assert/strict';
import {
  cancellationErrors,
  errorsIn,
  readState,
  sendingOutcome,
} from '../../../../../domain/trade/einvoice/face/answers.ts';

describe('answers of FACe', () => {
  it('register an invoice under a code', () => {
    const outcome = sendingOutcome({ status: 201, body: { registryCode: 202600012345, status: { code: '1200' } } });
    assert.deepEqual(outcome, { kind: 'registered', registryCode: '202600012345', code: 1200 });
  });

  it('leave it unknown whether they have it where they name no code, or the server fails', () => {
    for (const answer of [
      { status: 201, body: {} },
      { status: 200, body: undefined },
      { status: 500, body: undefined },
      { status: 504, body: '<html>' },
    ])
      assert.equal(sendingOutcome(answer).kind, 'uncertain', JSON.stringify(answer));
  });

  it('come later where the server is busy, and are refusals otherwise', () => {
    assert.equal(sendingOutcome({ status: 503, body: null }).kind, 'later');
    assert.equal(sendingOutcome({ status: 429, body: null }).kind, 'later');
    for (const status of [400, 401, 403, 404, 413, 422])
      assert.equal(sendingOutcome({ status, body: null }).kind, 'refused');
  });

  it('name what is wrong by member, with its code', () => {
    const body = {
      code: 400,
      errors: { content: ['INVALID_INVOICE-104 Firma'], email: ['Falta', 'Corto'] },
      message: 'Datos',
    };
    assert.deepEqual(errorsIn({ status: 400, body }), [
      { code: 'INVALID_INVOICE-104', text: 'content: INVALID_INVOICE-104 Firma' },
      { code: '400', text: 'email: Falta' },
      { code: '400', text: 'email: Corto' },
      { code: '400', text: 'Datos' },
    ]);
    const [advice] = errorsIn({ status: 403, body: null });
    assert.match(advice?.text ?? '', /register it at integradores/);
  });

  it('are bounded, whatever they are', () => {
    const deep = { a: [{ b: Array.from({ length: 500 }, () => 'x'.repeat(9000)) }] };
    const errors = errorsIn({ status: 400, body: deep });
    assert.equal(errors.length, 20);
    assert.ok(errors.every(({ text }) => text.length <= 501));
    for (const body of [null, 7, true, [], [[[]]], { message: null }])
      assert.deepEqual(errorsIn({ status: 418, body }).length, 1, JSON.stringify(body));
  });

  it('tell the state of an invoice and of a request to cancel it', () => {
    const body = { status: '2600', statusComment: 'Sin expediente', cancellationRequestStatus: { code: 4200 } };
    assert.deepEqual(readState({ status: 200, body }), {
      code: 2600,
      comment: 'Sin expediente',
      cancellation: 'asked',
    });
    const none = readState({ status: 200, body: { status: 1200, cancellationRequestStatus: 4100 } });
    assert.deepEqual(none, { code: 1200, comment: null, cancellation: null });
    assert.ok('errors' in readState({ status: 200, body: { status: 'registered' } }));
    assert.ok('errors' in readState({ status: 404, body: { message: 'No existe' } }));
    assert.equal(cancellationErrors({ status: 201, body: {} }), null);
    assert.equal(cancellationErrors({ status: 400, body: {} })?.length, 1);
  });
});
