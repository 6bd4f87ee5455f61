/** Sending records to the tax agency: how things stand, what was sent, and the certificate. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { ANSWER_STATES } from '../../../domain/ledger/verifactu/answers.ts';
import { CERTIFICATE_KINDS, type CertificateKind } from '../../../domain/ledger/verifactu/certificate.ts';
import { PROBLEM_CODES } from '../../../domain/ledger/verifactu/sending.ts';
import {
  readCertificate,
  removeCertificate,
  replaceCertificate,
} from '../../../services/ledger/verifactu/certificate/certificate.ts';
import { openCertificate } from '../../../services/ledger/verifactu/certificate/open.ts';
import { declarationPage } from '../../../services/ledger/verifactu/declaration.ts';
import {
  readStatus,
  resumeSending,
  SUBMISSIONS_SQL,
  submissionToJson,
} from '../../../services/ledger/verifactu/sending/status.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { OUTSIDE } from '../../../services/platform/settings/definitions.ts';
import {
  binary,
  choice,
  dataBody,
  day,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { startPage } from '../../../services/reports/generation/pages.ts';
import { listRoute } from '../../lists/list-route.ts';
import { TaskStarted } from '../../platform/tasks/started.ts';
import { awaitedTask } from '../../reports/generation/awaited-file.ts';
import { noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { AgencyError, TAG } from './schemas.ts';

/** The page has its own style, and loads nothing. */
const NOTHING_ELSE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const CERTIFICATE = '/api/verifactu/certificate';
/** Name of the file. */
const PDF = 'declaracion-responsable.pdf';
/** Characters of base64: about 48 KiB. Files with all their authorities have some 10 KiB. */
const MAX_FILE = 65_536;

const Submission = Type.Object(
  {
    id: uuid(),
    firstSeq: integer({ description: 'Place of its first record in the chain' }),
    lastSeq: integer({ description: 'Place of its last record' }),
    incident: flag({ description: 'Whether it says that records come late because of an incident' }),
    attempts: integer({ description: 'Number of times it was sent' }),
    sentAt: instant({ description: 'When it was sent last' }),
    answeredAt: nullable(instant({ description: 'When all of its records had answers' })),
    state: nullable(
      choice(ANSWER_STATES, { description: 'Whether the agency has stored all of its records, some or none' }),
    ),
    csv: nullable(text({ description: 'Code by which the agency can verify that it has the message' })),
    presentedAt: nullable(instant({ description: 'When the agency took it' })),
    error: nullable(AgencyError),
  },
  { title: 'VerifactuSubmission' },
);

const Status = Type.Object(
  {
    enabled: flag({ description: 'Whether invoices get records: /api/config/verifactu' }),
    environment: choice(['test', 'production'], { description: 'Where records are sent' }),
    outside: nullable(choice(OUTSIDE, { description: 'Why the company is outside; null if it is not' })),
    mandatoryFrom: nullable(day({ description: 'From when it must make records; null if it is outside' })),
    programDeclared: flag({ description: 'Whether the operators have stated who makes the program' }),
    certificateUntil: nullable(instant({ description: 'Last moment of the certificate; null for none' })),
    queued: integer({ description: 'Records without an answer' }),
    oldestQueuedAt: nullable(instant({ description: 'When the first of them was made' })),
    nextSendAt: nullable(instant({ description: 'No message is sent before' })),
    rejected: integer({ description: 'Invoices whose last record the agency refused' }),
    acceptedWithErrors: integer({ description: 'Invoices whose last record it wants corrected' }),
    problem: nullable(
      Type.Object(
        {
          code: choice(PROBLEM_CODES, { description: 'What keeps records from being sent' }),
          error: nullable(AgencyError),
          since: instant({ description: 'When it was first met' }),
        },
        { description: 'What keeps records from being sent; null for nothing' },
      ),
    ),
    lastSubmission: nullable({ ...Submission, description: 'The last message; null for none' }),
  },
  { title: 'VerifactuStatus' },
);

const Certificate = Type.Object(
  {
    kind: choice(CERTIFICATE_KINDS),
    holder: text({ min: 0, description: 'Company or person that it names' }),
    holderTaxId: nullable(text({ description: 'Tax id that it names' })),
    isOwn: flag({
      description: 'Whether it names the company itself; another holder needs the authorization of the agency',
    }),
    issuer: text({ min: 0, description: 'Authority that issued it' }),
    serial: text({ description: 'Hexadecimal digits' }),
    validFrom: instant(),
    validUntil: instant({ description: 'Its last moment' }),
    daysLeft: integer({ description: 'Whole days until it ends' }),
  },
  { title: 'VerifactuCertificate' },
);

const CertificateInput = Type.Object(
  {
    file: text({
      max: MAX_FILE,
      pattern: '^[A-Za-z0-9+/\\s]+=*\\s*$',
      description: 'PKCS#12 file (.p12, .pfx) in base64',
    }),
    password: text({ min: 0, max: 200, description: 'Password of the file' }),
    kind: Type.Optional(
      choice(CERTIFICATE_KINDS, {
        description: 'personal (default): of a person, also as representative; seal: that of a company (sello)',
      }),
    ),
  },
  { title: 'VerifactuCertificateUpload', additionalProperties: false },
);

const submissions: ListDefinition = {
  defaultSort: '-sentAt',
  fields: {
    sentAt: { type: 'instant', notNull: true },
    answeredAt: { type: 'instant' },
    firstSeq: { type: 'number' },
    lastSeq: { type: 'number' },
    state: { type: 'choice', choices: [...ANSWER_STATES] },
    csv: { type: 'text', searchable: true },
    incident: { type: 'boolean' },
  },
};

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/verifactu/declaration',
    id: 'getVerifactuDeclaration',
    summary: "The maker's statement about the program",
    description:
      'The declaración responsable of this version, in Spanish, as a page or as a PDF. The operators state who makes the program ' +
      '(`VERIFACTU_…`); without that there is none.',
    problems: ['not_found', 'invalid_transition'],
    tag: TAG,
    access: 'member',
    query: Type.Object({ format: Type.Optional(choice(['html', 'pdf'], { default: 'html' })) }),
    responses: { 200: binary('text/html'), 202: TaskStarted },
    formats: { pdf: 'application/pdf' },
    transaction: 'none',
    async handler({ deps, ctx, query }) {
      const html = declarationPage(deps.config.verifactu);
      if (query.format === 'pdf')
        return awaitedTask(deps, ctx, `Page ${PDF}`, (trx) => startPage(trx, ctx, { html, name: PDF }, 'files:read'));
      const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': NOTHING_ELSE };
      return { status: 200, body: html, headers };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/verifactu',
    id: 'getVerifactuStatus',
    summary: 'How things stand with the tax agency',
    description: 'What waits, what keeps it from being sent, and the last message.',
    tag: TAG,
    access: 'tax_returns:read',
    responses: { 200: dataBody(Status) },
    handler: async ({ reader, deps }) => ok(await readStatus(reader, deps.config.verifactu)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/verifactu/resume',
    id: 'resumeVerifactu',
    summary: 'Send what waits',
    problems: ['invalid_transition'],
    description:
      'After a suspension by the agency, or sooner than the next try. What it has stated as waiting time passes first.',
    tag: TAG,
    access: 'tax_returns:create',
    responses: { 200: dataBody(Status) },
    async handler({ db, ctx, deps }) {
      await resumeSending(db, ctx);
      return ok(await readStatus(db, deps.config.verifactu));
    },
  }),
  listRoute({
    path: '/api/verifactu/submissions',
    id: 'listVerifactuSubmissions',
    summary: 'Messages to the tax agency, newest first',
    tag: TAG,
    access: 'tax_returns:read',
    list: submissions,
    row: Submission,
    rows: () => ({
      from: `(${SUBMISSIONS_SQL}) as submissions`,
      count: 'select count(*) from verifactu_submissions',
      toJson: submissionToJson,
    }),
  }),
  defineRoute({
    method: 'GET',
    path: CERTIFICATE,
    id: 'getVerifactuCertificate',
    summary: 'The certificate with which records are sent',
    description: 'Whose it is, and until when it is valid; its key is never shown.',
    problems: ['not_found'],
    tag: TAG,
    access: 'company:read',
    responses: { 200: dataBody(Certificate) },
    handler: async ({ reader, ctx }) => ok(await readCertificate(reader, ctx)),
  }),
  defineRoute({
    method: 'PUT',
    path: CERTIFICATE,
    id: 'replaceVerifactuCertificate',
    summary: 'Upload the certificate with which records are sent',
    description:
      'Of the company, its representative, or somebody whom the tax agency lets send for it. Its key is encrypted, and never shown ' +
      'again. Records that wait are sent.',
    tag: TAG,
    access: 'company:update',
    body: CertificateInput,
    isUpload: true,
    responses: { 200: dataBody(Certificate) },
    transaction: 'none',
    async handler({ deps, ctx, body }) {
      const { file, password, kind = 'personal' as CertificateKind } = body;
      const opened = await openCertificate(ctx.tenantId, { file, password, kind }, ctx.now);
      const keys = configuredKeys(deps.config);
      return ok(await deps.database.withTenant(ctx, (trx) => replaceCertificate(trx, ctx, keys, opened)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: CERTIFICATE,
    id: 'deleteVerifactuCertificate',
    summary: 'Remove the certificate',
    problems: ['not_found'],
    description: 'Records wait until there is another one.',
    tag: TAG,
    access: 'company:update',
    responses: { 204: null },
    async handler({ db, ctx }) {
      await removeCertificate(db, ctx);
      return noContent();
    },
  }),
];
