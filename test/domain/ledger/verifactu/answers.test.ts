import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readAnswer, UnreadableAnswer } from '../../../../domain/ledger/verifactu/answers.ts';
import { explained } from '../../../../domain/ledger/verifactu/errors.ts';
import { faultProblem, pauseSeconds, retrySeconds } from '../../../../domain/ledger/verifactu/sending.ts';

const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

describe('answers of Veri*factu', () => {
  it('say what became of each record', () => {
    const answer = readAnswer(read('response-partial.xml'));
    assert.ok(answer.kind === 'answer');
    assert.deepEqual([answer.state, answer.csv, answer.waitSeconds], ['partly_accepted', 'A-EJEMPLO0000002', 60]);
    assert.equal(answer.presentedAt, '2026-11-20T10:30:00+01:00');
    assert.deepEqual(
      answer.records.map(({ state, error }) => [state, error?.code ?? null]),
      [
        ['accepted', null],
        ['accepted_with_errors', '2004'],
        ['rejected', '1189'],
        ['accepted', null],
      ],
    );
  });

  it('say what the agency has of a record that comes again', () => {
    const answer = readAnswer(read('response-duplicate.xml'));
    assert.ok(answer.kind === 'answer');
    assert.equal(answer.csv, null);
    assert.deepEqual(answer.records[0]?.duplicateOf, { state: 'accepted', error: null });
  });

  it('refuse a whole message', () => {
    const fault = readAnswer(read('response-fault.xml'));
    assert.ok(fault.kind === 'fault');
    assert.deepEqual([fault.server, fault.error.code], [false, '4102']);
    assert.match(
      fault.error.text,
      /^El XML no cumple el esquema\. Falta informar campo obligatorio\.: NumSerieFactura$/,
    );
    assert.equal(faultProblem(fault), 'refused');
    assert.equal(faultProblem({ ...fault, server: true }), 'unreachable');
    assert.equal(faultProblem({ ...fault, error: { code: '3501', text: '' } }), 'unreachable');
    assert.equal(faultProblem({ ...fault, error: { code: '4141', text: '' } }), 'suspended');
  });

  it('are nothing but answers', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>';
    for (const text of ['', 'no', '<html><body>Acceso</body></html>', '<a>', bomb, '<x>'.repeat(50)])
      assert.throws(() => readAnswer(text), UnreadableAnswer, text);
  });

  it('state how long to wait, but a full message goes at once', () => {
    assert.equal(pauseSeconds(60, 999), 60);
    assert.equal(pauseSeconds(60, 1000), 0);
    assert.deepEqual(
      [1, 2, 7, 100].map((failures) => retrySeconds('unreachable', failures)),
      [60, 120, 3600, 3600],
    );
    assert.equal(retrySeconds('refused', 1), 3600);
  });

  it('have errors that are explained in both languages', () => {
    const { en, es } = explained({ code: '1109', text: 'El NIF no está identificado' });
    assert.match(en, /customer's tax id/);
    assert.match(es, /NIF del cliente/);
    assert.ok(explained({ code: '9999', text: '' }).en.length > 0);
  });
});
