/** Issued invoices as data for other programs: Facturae, UBL and CII. */
import { Type } from 'typebox';
import type { EncryptionKeys } from '../../../services/platform/encryption/seal.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { binary, choice, flag, uuid } from '../../../services/platform/validation/schemas.ts';
import { ciiFile, ublFile } from '../../../services/trade/einvoice/en16931/files.ts';
import { facturaeFile, type InvoiceFile } from '../../../services/trade/einvoice/facturae/file.ts';
import { defineRoute, type Route, type RouteResponse } from '../../route.ts';

const PATH = '/api/sales/invoices/:id';
const Id = Type.Object({ id: uuid() });
const XML = 'application/xml';

/** Members that all of the formats' routes share. */
const FORMAT = {
  method: 'GET',
  tag: 'Sales',
  access: 'sales_invoices:read',
  params: Id,
  problems: ['not_found', 'invalid_transition', 'validation_failed'],
  responses: { 200: binary(XML) },
} as const;

export const routes: Route[] = [
  defineRoute({
    ...FORMAT,
    path: `${PATH}/facturae`,
    id: 'getSalesInvoiceFacturae',
    summary: 'A sales invoice as Facturae',
    description:
      'Facturae 3.2.2 with the signature that public bodies want (XAdES-EPES), by the certificate of `/api/verifactu/certificate`. ' +
      'The offices of a public body are those of the partner (DIR3).',
    query: Type.Object({
      signed: Type.Optional(flag({ description: 'Whether it is signed; true by default' })),
    }),
    async handler({ reader, ctx, deps, params, query }) {
      const keys: EncryptionKeys | null = query.signed === false ? null : configuredKeys(deps.config);
      return file(await facturaeFile(reader, ctx, params.id, keys));
    },
  }),
  defineRoute({
    ...FORMAT,
    path: `${PATH}/ubl`,
    id: 'getSalesInvoiceUbl',
    summary: 'A sales invoice as UBL',
    description:
      'UBL 2.1 by EN 16931. A rectifying invoice that takes back is a credit note. For the network of Peppol it also has the identifiers ' +
      'of BIS Billing 3, which takes Spanish or German VAT numbers of both, and a reference of the buyer.',
    query: Type.Object({
      profile: Type.Optional(
        choice(['en16931', 'peppol'], { description: 'The identifiers in it; en16931 by default' }),
      ),
    }),
    handler: async ({ reader, params, query }) => file(await ublFile(reader, params.id, query.profile === 'peppol')),
  }),
  defineRoute({
    ...FORMAT,
    path: `${PATH}/cii`,
    id: 'getSalesInvoiceCii',
    summary: 'A sales invoice as CII',
    description: 'Cross Industry Invoice D16B by EN 16931, the XML of Factur-X and ZUGFeRD.',
    handler: async ({ reader, params }) => file(await ciiFile(reader, params.id)),
  }),
];

function file({ name, content }: InvoiceFile): RouteResponse {
  return {
    status: 200,
    body: Buffer.from(content),
    headers: {
      'Content-Type': XML,
      'Content-Disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '_')}"`,
    },
  };
}
