import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { annulmentText, registrationText } from '../../../../domain/ledger/verifactu/hash.ts';
import { submission } from '../../../../domain/ledger/verifactu/message.ts';
import { readSubmission } from '../../../../domain/ledger/verifactu/message-reader.ts';
import type { Link, Program, Recorded } from '../../../../domain/ledger/verifactu/records.ts';
import { mayEndOn } from '../../../../domain/ledger/verifactu/sending.ts';
import { serialize } from '../../../../domain/xml.ts';
import { parseXml } from '../../../../domain/xml-reader.ts';

const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const SENDER = { name: 'Certificado Uno Telematicas', taxId: '89890001K' };
const PROGRAM: Program = {
  makerName: 'Fabricante de Ejemplo SL',
  makerTaxId: 'B12345674',
  name: 'Oficina',
  code: 'OF',
  version: '1.4.0',
  installation: 't-000001',
  onlyVerifactu: 'S',
  severalCompanies: 'S',
  hasSeveral: 'N',
};

function hash(recorded: Recorded): string {
  const { link } = recorded;
  const text =
    recorded.kind === 'registration' ? registrationText(recorded.record, link) : annulmentText(recorded.record, link);
  return createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase();
}

describe('messages of Veri*factu', () => {
  const sample = parseXml(read('request.xml'));
  const { sender, records } = readSubmission(sample);

  it('say what was read of them, element by element', () => {
    const written = submission(
      sender,
      records.map((one) => ({ ...one, program: PROGRAM })),
      { incident: false },
    );
    assert.equal(records.length, 23);
    assert.deepEqual(parseXml(serialize(written)), sample);
    assert.match(serialize(written), /^<\?xml version="1.0" encoding="UTF-8"\?>\n<soapenv:Envelope xmlns:soapenv=/);
  });

  it('have records whose hash is that of their members and of the record before', () => {
    const expected = JSON.parse(read('hashes.json')) as { hash: string }[];
    assert.deepEqual(
      records.map(hash),
      expected.map((one) => one.hash),
    );
    assert.deepEqual(
      records.slice(1).map(({ link }) => link.previous?.hash),
      records.slice(0, -1).map(({ link }) => link.hash),
    );
  });

  it('tell the agency of an outage', () => {
    assert.match(serialize(submission(SENDER, [], { incident: true })), /<sf:Incidencia>S<\/sf:Incidencia>/);
  });

  it('tell the agency when the company will end', () => {
    const text = serialize(submission(SENDER, [], { incident: false, endsOn: '2026-12-31' }));
    assert.match(
      text,
      /<sf:RemisionVoluntaria><sf:FechaFinVeriFactu>31-12-2026<\/sf:FechaFinVeriFactu><sf:Incidencia>N/,
    );
    assert.doesNotMatch(serialize(submission(SENDER, [], { incident: false })), /FechaFin/);
    const days = ['2026-12-31', '2025-12-31', '2027-12-31', '2024-12-31', '2026-12-30'];
    assert.deepEqual(
      days.map((day) => mayEndOn(day, '2026-06-01')),
      [true, true, false, false, false],
    );
  });

  it('write what XML reserves as entities', () => {
    const text = serialize(submission({ name: 'Uno & <Dos>', taxId: 'X' }, [], { incident: false }));
    assert.match(text, /<sf:NombreRazon>Uno &amp; &lt;Dos&gt;<\/sf:NombreRazon>/);
  });
});

/** The three examples of the specification of the hash, and that of a signed record, whose amounts have one decimal. */
describe('hashes of Veri*factu', () => {
  const issuer = '89890001K';
  const invoice = (number: string, date = '2024-01-01') => ({ issuer, number, date });
  const registration = (number: string, more: object = {}) =>
    ({
      kind: 'registration',
      record: { invoice: invoice(number), type: 'F1', taxTotal: '12.35', total: '123.45', ...more },
    }) as unknown as Pick<Extract<Recorded, { kind: 'registration' }>, 'kind' | 'record'>;
  const after = (previousHash: string, generatedAt: string): Link => ({
    previous: { ...invoice('any'), hash: previousHash },
    generatedAt,
    hash: '',
  });
  const FIRST = '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60';
  const SECOND = 'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97';

  it('of a first invoice, of one behind it, and of an annulment', () => {
    const first = { generatedAt: '2024-01-01T19:20:30+01:00', hash: '' };
    assert.equal(hash({ ...registration('12345678/G33'), link: first }), FIRST);
    const second = after(FIRST, '2024-01-01T19:20:35+01:00');
    assert.equal(hash({ ...registration('12345679/G34'), link: second }), SECOND);
    assert.equal(
      hash({
        kind: 'annulment',
        record: { invoice: invoice('12345679/G34') },
        link: after(SECOND, '2024-01-01T19:20:40+01:00'),
      }),
      '177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68',
    );
  });

  it('count amounts as they are written, and no blanks around values', () => {
    const link = after('C9AF4AF1EF5EBBA700350DE3EEF12C2D355C56AC56F13DB2A25E0031BD2B7ED5', '2025-02-03T14:30:00+01:00');
    const invoiced = { ...invoice(' 12345678-G66 ', '2025-02-03') };
    const record = registration('', { invoice: invoiced, type: 'R3', taxTotal: '41.4', total: '241.4' });
    assert.equal(hash({ ...record, link }), 'FF954378B64ED331A9B2366AD317D86E9DEC1716B12DD0ACCB172A6DC4C105AA');
  });
});
