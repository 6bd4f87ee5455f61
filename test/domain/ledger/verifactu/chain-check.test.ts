import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ChainedRecord, chainFaults } from '../../../../domain/ledger/verifactu/chain-check.ts';
import { readSubmission } from '../../../../domain/ledger/verifactu/message-reader.ts';
import { parseXml } from '../../../../domain/xml-reader.ts';

describe('the check of a chain', () => {
  const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase();
  const xml = readFileSync(new URL('fixtures/request.xml', import.meta.url), 'utf8');
  const chain = readSubmission(parseXml(xml)).records.map(
    (one, at): ChainedRecord => ({ ...one, seq: at + 1, generatedAt: new Date(one.link.generatedAt) }),
  );
  const faults = (records: readonly ChainedRecord[]) =>
    records.map((one, at) => chainFaults(one, records[at - 1] ?? null, sha256).join());
  const [first, second, third] = chain as [ChainedRecord, ChainedRecord, ChainedRecord];

  it('finds nothing in one that is intact', () => {
    assert.deepEqual(new Set(faults(chain)), new Set(['']));
    assert.equal(chain.length, 23);
  });

  it('finds a record that was changed, left out, put elsewhere or dated back', () => {
    const { invoice } = second.record;
    const renumbered = { ...second.record, invoice: { ...invoice, number: 'X' } };
    assert.deepEqual(faults([first, { ...second, record: renumbered } as ChainedRecord, third]), ['', 'hash', 'link']);
    assert.deepEqual(faults([first, third]), ['', 'link,order']);
    assert.deepEqual(faults([second]), ['link,order']);
    const heir = { ...second, seq: 1 };
    assert.deepEqual(chainFaults(heir, null, sha256, second.link.previous), []);
    assert.deepEqual(chainFaults(heir, null, sha256, third.link.previous), ['link']);
    assert.deepEqual(chainFaults(first, null, sha256, second.link.previous), ['link']);
    const early = { ...second, generatedAt: new Date(first.generatedAt.getTime() - 1) };
    assert.deepEqual(faults([first, early]), ['', 'time']);
  });
});
