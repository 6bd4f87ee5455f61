/** Records of issued invoices for the tax agency (Veri*factu). */
import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { INVOICE_TYPES } from '../../../domain/ledger/verifactu/records.ts';
import { openChainFile } from '../../../services/ledger/verifactu/chain-file.ts';
import { RECORD_STATUSES } from '../../../services/ledger/verifactu/document-record.ts';
import { inheritChain } from '../../../services/ledger/verifactu/inherit-chain.ts';
import { RECORDS_SQL, readRecord, recordToJson } from '../../../services/ledger/verifactu/read-records.ts';
import {
  amount,
  binary,
  choice,
  dataBody,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { annulRecord, correctRecord } from '../../../services/trade/lifecycle/verifactu-corrections.ts';
import { streamedFile } from '../../file-stream.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { AgencyError, TAG } from './schemas.ts';

const PATH = '/api/verifactu/records';
const Id = Type.Object({ id: uuid() });
const KINDS = ['registration', 'annulment'] as const;

const list: ListDefinition = {
  defaultSort: '',
  key: 'id',
  fields: {
    kind: { type: 'choice', choices: [...KINDS] },
    status: { type: 'choice', choices: [...RECORD_STATUSES] },
    documentId: { type: 'uuid' },
    chainId: { type: 'uuid' },
    seq: { type: 'number' },
    number: { type: 'text', searchable: true },
    date: { type: 'date' },
    generatedAt: { type: 'instant' },
    hash: { type: 'text' },
  },
};

const VerifactuRecord = Type.Object(
  {
    id: uuid(),
    kind: choice(KINDS, { description: 'annulment: the invoice should never have been issued' }),
    status: choice(RECORD_STATUSES, { description: 'What the tax agency says of it; queued: nothing yet' }),
    csv: nullable(text({ description: 'Code by which the agency can verify that it has the record' })),
    answeredAt: nullable(instant({ description: 'When the agency has answered' })),
    errors: Type.Array(AgencyError, { description: 'What the agency objects to; empty for nothing' }),
    documentId: uuid({ description: 'Id of the sales invoice' }),
    chainId: uuid({ description: 'Chain of the records of one tax id' }),
    seq: integer({ minimum: 1, description: 'Place in the chain' }),
    number: text({ description: 'Series and number of the invoice' }),
    date: day({ description: 'Date of issue' }),
    type: nullable(
      choice(INVOICE_TYPES, {
        description:
          'F1 full, F2 simplified, F3 full in exchange for one; R1 to R5 rectifying, R5 of a simplified one; null for an annulment',
      }),
    ),
    total: nullable(amount({ description: 'Bases and taxes, before withholding; null for an annulment' })),
    generatedAt: text({ description: 'Time of the record, with the offset of the company' }),
    hash: text({ description: 'SHA-256 of the record and of the hash before, in hexadecimal capitals' }),
    previousHash: nullable(text({ description: 'Hash of the record before; null for the first' })),
    programVersion: text({ description: 'Version of the service that made it' }),
    qrUrl: nullable(text({ max: 2000, description: 'Where anybody can look the invoice up; null for an annulment' })),
    record: Type.Object({}, { additionalProperties: true, description: 'What is reported of the invoice' }),
  },
  { title: 'VerifactuRecord' },
);

const lastRecord = {
  number: text({ max: 60, description: 'Series and number of the invoice of that record' }),
  date: day({ description: 'Date of the invoice' }),
  hash: text({ pattern: '^[0-9A-F]{64}$', description: 'Hash of the record: 64 hexadecimal capitals' }),
};
const Inherited = Type.Object(
  {
    record: nullable(
      Type.Object(lastRecord, {
        title: 'VerifactuInheritedInput',
        additionalProperties: false,
        description: 'The last record of the program before; null to begin a chain',
      }),
    ),
  },
  { title: 'VerifactuChainInput', additionalProperties: false },
);
const EXAMPLE = {
  number: 'F26/100',
  date: '2026-12-31',
  hash: '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60',
};
const CHAIN_EXAMPLE = {
  id: '01994c0e-9e2b-7d3c-8a4f-5b6c7d8e9f0a',
  issuer: 'B12345674',
  records: 0,
  inherited: { issuer: 'B12345674', ...EXAMPLE },
};
const Chain = Type.Object(
  {
    id: uuid(),
    issuer: text({ description: 'Tax id of the company' }),
    records: integer({ description: 'Number of its records' }),
    inherited: nullable(
      Type.Object(
        { issuer: text({ description: 'Tax id of the company' }), ...lastRecord },
        { description: 'The record that the first one names; null if the chain begins here' },
      ),
    ),
  },
  { title: 'VerifactuChain' },
);

const added = (record: ReturnType<typeof recordToJson>) => created(`${PATH}/${record.id}`, record);

export const routes: Route[] = [
  listRoute({
    path: PATH,
    id: 'listVerifactuRecords',
    summary: 'Records of issued invoices, newest first',
    tag: TAG,
    access: 'tax_returns:read',
    list,
    row: VerifactuRecord,
    rows: () => ({
      from: `(${RECORDS_SQL}) as records`,
      count: 'select count(*) from verifactu_records',
      toJson: recordToJson,
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/verifactu/chain',
    id: 'downloadVerifactuChain',
    summary: 'All records as a file, checked',
    description:
      'JSON, one value a line: the company, then every record in the order of its chain with `faults` (empty, or of hash, link, order, ' +
      'time), last the number of records and whether the chain is intact.',
    tag: TAG,
    access: 'tax_returns:read',
    transaction: 'none',
    responses: { 200: binary('application/x-ndjson') },
    handler: ({ deps, ctx }) => streamedFile(deps.database, ctx, (db) => openChainFile(db, ctx)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/verifactu/chain/inherited',
    id: 'inheritVerifactuChain',
    summary: 'Go on where another program has ended',
    problems: ['invalid_transition'],
    description:
      'The last record of the program that the company used before: the first one here names it. It can be stated until there is one. ' +
      'The law chains the records of each program, so that a company may also begin anew.',
    tag: TAG,
    access: 'company:update',
    body: Inherited,
    examples: { body: { record: EXAMPLE }, answer: CHAIN_EXAMPLE },
    isUpload: true,
    responses: { 200: dataBody(Chain) },
    handler: async ({ db, body }) => ok(await inheritChain(db, body.record)),
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getVerifactuRecord',
    summary: 'A record of an issued invoice',
    description: 'What was reported, its place in the chain, and what the tax agency says of it.',
    problems: ['not_found'],
    tag: TAG,
    access: 'tax_returns:read',
    params: Id,
    responses: { 200: dataBody(VerifactuRecord) },
    handler: async ({ reader, params }) => ok(await readRecord(reader, params.id)),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/:id/correct`,
    id: 'correctVerifactuRecord',
    summary: 'Report an invoice anew',
    problems: ['not_found', 'invalid_transition'],
    description:
      'For the last record of an invoice that the tax agency has refused, or wants corrected: a new record with what the invoice and its ' +
      'partner say now (Subsanación). What is wrong in the invoice itself takes a rectifying invoice.',
    tag: TAG,
    access: 'tax_returns:create',
    params: Id,
    responses: { 201: dataBody(VerifactuRecord) },
    handler: async ({ db, ctx, params }) => added(await correctRecord(db, ctx, params.id)),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/:id/annul`,
    id: 'annulVerifactuRecord',
    summary: 'Report the annulment of an invoice anew',
    problems: ['not_found', 'invalid_transition'],
    description: 'For the last record of a cancelled invoice, if the tax agency has refused it.',
    tag: TAG,
    access: 'tax_returns:create',
    params: Id,
    responses: { 201: dataBody(VerifactuRecord) },
    handler: async ({ db, ctx, params }) => added(await annulRecord(db, ctx, params.id)),
  }),
];
