/** The stand-in for the tax agency, on a free port, in a folder of its own, with certificates for companies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Partner } from '../../db/models/records/master-data.ts';
import { insertRow } from '../../db/write.ts';
import { type Agency, startAgency } from '../../demo/aeat/agency.ts';
import { type Authority, type Holder, openAuthority } from '../../demo/aeat/authority.ts';
import { type FaceGateway, startFace } from '../../demo/face/gateway.ts';
import { replaceCertificate } from '../../services/ledger/verifactu/certificate/certificate.ts';
import { openCertificate } from '../../services/ledger/verifactu/certificate/open.ts';
import { replaceVerifactuSettings } from '../../services/ledger/verifactu/settings.ts';
import { loadSettings, replaceSettings } from '../../services/platform/settings/settings.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import type { Company } from './company.ts';
import { ENCRYPTION_KEY } from './worker.ts';

export interface TestAgency extends Agency {
  readonly authority: Authority;
  /** The stand-in for FACe, which knows the same certificates. */
  readonly face: FaceGateway;
  /** Settings of the service for it. */
  readonly env: Readonly<Record<string, string>>;
  /** The body of a request that uploads a certificate. */
  certificate(holder: Partial<Holder> & Pick<Holder, 'taxId'>): { file: string; password: string };
}

const PASSWORD = 'contraseña de prueba';

/** @param now its clock, and the time from which certificates are valid */
export async function startTestAgency(now: () => Date = () => new Date()): Promise<TestAgency> {
  const folder = mkdtempSync(join(tmpdir(), 'agency-'));
  const authority = openAuthority(folder, now());
  const agency = await startAgency(authority, { folder, now });
  const face = await startFace(authority, { now });
  return {
    ...agency,
    authority,
    face,
    env: {
      FACE_TEST_URL: face.url,
      FACE_CA_FILE: join(folder, 'authority.pem'),
      VERIFACTU_TEST_URL: agency.url,
      VERIFACTU_CA_FILE: join(folder, 'authority.pem'),
      VERIFACTU_MAKER_NAME: 'Fabricante de Ejemplo SL',
      VERIFACTU_MAKER_TAX_ID: 'B12345674',
    },
    certificate(holder) {
      const file = authority.issue({ name: 'Empresa de prueba', password: PASSWORD, ...holder });
      return { file: file.toString('base64'), password: holder.password ?? PASSWORD };
    },
    async close() {
      await agency.close();
      await face.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A certificate of an authority that nobody trusts: the body of a request that uploads it. */
export function certificateFile(holder: Omit<Holder, 'password'>, now: Date): { file: string; password: string } {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  try {
    const file = openAuthority(folder, now).issue({ ...holder, password: PASSWORD });
    return { file: file.toString('base64'), password: PASSWORD };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives a company a certificate of the stand-in's authority, and turns its records on. */
export async function certify(
  company: Company,
  agency: Pick<TestAgency, 'certificate'>,
  now: Date,
  taxId = 'B12345674',
): Promise<void> {
  const ctx = { ...company.ctx, now };
  const opened = await openCertificate(
    ctx.tenantId,
    { ...agency.certificate({ taxId, days: 7000 }), kind: 'personal' },
    now,
  );
  await company.run(async (trx) => {
    await replaceVerifactuSettings(trx, ctx, { enabled: true }, null);
    await replaceCertificate(trx, ctx, [ENCRYPTION_KEY], opened);
  });
}

/** Gives the company an address, and a customer to whom full invoices go. @returns the customer's id */
export async function nameCustomer(
  { run, ctx, customerId }: Company,
  named: { readonly name: string; readonly nif: string },
): Promise<string> {
  return await run(async (trx) => {
    const { groupId } = await Partner.query(trx).findOne({ id: customerId }).throwIfNotFound();
    const place = { address: 'Calle Alta 2', zipCode: '39001', city: 'Santander' };
    await replaceSettings(trx, ctx, 'company', { ...(await loadSettings(trx, 'company')), ...place });
    return (await insertRow(trx, ctx, Partner, { ...named, code: 'C9', countryCode: 'ES', groupId })).id;
  });
}

/** Posts a sales invoice of today. @returns its id */
export async function issueInvoice(company: Company, now: Date, head: object = {}): Promise<string> {
  const ctx = { ...company.ctx, now };
  const lines = [{ description: 'Portes', quantity: 1, price: 10, taxGroupId: company.taxId }];
  const input = { partnerId: company.customerId, lines, ...head };
  const made = await company.run((trx) => createDocument(trx, ctx, 'SINV', input));
  await company.run((trx) => postInvoice(trx, ctx, String(made.id), { ifMatch: null }));
  return String(made.id);
}

/** Makes the customer of a company a public body, and the company one that can write Facturae. */
export async function serveTown({ run, ctx, customerId }: Company): Promise<void> {
  await run(async (trx) => {
    const company = await loadSettings(trx, 'company');
    const place = { address: 'Calle Alta 2', zipCode: '39001', city: 'Santander', email: 'facturas@ejemplo.es' };
    await replaceSettings(trx, ctx, 'company', { ...company, ...place });
    const offices = { accounting_office: 'L01280796', managing_body: 'L01280796', processing_unit: 'LA0001234' };
    const columns = Object.fromEntries(Object.entries(offices).map(([name, code]) => [`dir3_${name}`, code]));
    await trx('partners')
      .where({ id: customerId })
      .update({ nif: 'P2807900B', ...columns });
  });
}

/** Posts a sales invoice of today to that public body. @returns its id */
export function issueToTown(company: Company, now: Date): Promise<string> {
  const address = { street: 'Plaza Mayor 1', zipCode: '28012', city: 'Madrid', countryCode: 'ES' };
  return issueInvoice(company, now, { billingAddress: address });
}
