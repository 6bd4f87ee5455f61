/** Suppliers' invoices from their files. */
import { Type } from 'typebox';
import { RECEIVED_FORMATS } from '../../../domain/trade/einvoice/received/received.ts';
import { amount, choice, flag, nullable, text } from '../../../services/platform/validation/schemas.ts';
import { IMPORT_WARNINGS, importInvoice } from '../../../services/trade/einvoice/received/import.ts';
import { attachmentDeps, requestedName } from '../../records/attachments/upload.ts';
import { created } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { documentBody } from '../documents/answer-schemas.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const MEDIA_TYPES = ['application/xml', 'text/xml', 'application/pdf', 'application/octet-stream'];

const Report = Type.Object(
  {
    format: choice(RECEIVED_FORMATS),
    signature: Type.Object(
      {
        state: choice(['none', 'valid', 'invalid', 'unknown'], {
          description: 'Whether the file is as it was signed; who may sign for the supplier is for people to tell',
        }),
        signer: nullable(text({ description: 'Name in the certificate' })),
      },
      { description: 'The signature of the file' },
    ),
    partnerCreated: flag({ description: 'Whether the supplier became a partner' }),
    stated: Type.Object(
      {
        net: amount({ description: 'Without taxes' }),
        tax: amount({ description: 'Taxes' }),
        payable: amount({ description: 'With taxes, less what is withheld' }),
      },
      { description: 'Totals as the file states them' },
    ),
    warnings: Type.Array(Type.Object({ code: choice(IMPORT_WARNINGS), message: text() }), {
      description: 'Reasons to look at the draft before it is posted; empty for none',
    }),
  },
  { title: 'InvoiceImport' },
);
const Imported = Type.Object(
  { data: documentBody('PINV'), import: { ...Report, description: 'What the file states, and what is worth a look' } },
  { title: 'ImportedInvoiceAnswer' },
);

export const routes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/purchases/invoices/import',
    id: 'importPurchaseInvoice',
    summary: "Enter a supplier's invoice from its file",
    description:
      'Facturae 3.2, UBL 2 (also Peppol), CII D16B, or the PDF of Factur-X or ZUGFeRD. The draft has the supplier by their tax id, ' +
      'items by their codes and taxes by their rates; each line keeps its amount. The file is attached to it. Files that were changed ' +
      'after they were signed are refused, and so are an invoice that was entered before, and credit notes.',
    tag: 'Purchases',
    access: 'purchase_invoices:create',
    query: Type.Object({
      name: Type.Optional(text({ max: 255, description: 'Name of the file, unless a form gives it' })),
      createPartner: Type.Optional(flag({ description: 'Whether an unknown supplier becomes a partner' })),
    }),
    upload: { mediaTypes: MEDIA_TYPES, limit: MAX_BYTES },
    problems: ['duplicate', 'period_closed', 'unavailable'],
    responses: { 201: Imported },
    transaction: 'none',
    async handler({ deps, ctx, caller, query, body }) {
      const name = requestedName(query.name ?? (body.name || 'invoice.xml'));
      const file = { name, content: body.content, createPartner: query.createPartner ?? false };
      const { document, report } = await importInvoice(attachmentDeps(deps), ctx, caller, file);
      const answer = created(`/api/purchases/invoices/${document.id}`, document);
      return { ...answer, body: { data: document, import: report } };
    },
  }),
];
