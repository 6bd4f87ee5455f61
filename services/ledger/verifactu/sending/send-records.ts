/** Sends the next records of a company to the tax agency. May be repeated at any step: nothing is lost, and the agency keeps each once. */
import type { VerifactuConfig } from '../../../../config/verifactu.ts';
import type { Context } from '../../../../db/context.ts';
import type { Database, Db } from '../../../../db/database.ts';
import { type Answer, type Fault, UnreadableAnswer } from '../../../../domain/ledger/verifactu/answers.ts';
import { submission } from '../../../../domain/ledger/verifactu/message.ts';
import { faultProblem, type ProblemCode } from '../../../../domain/ledger/verifactu/sending.ts';
import { serialize } from '../../../../domain/xml.ts';
import type { EncryptionKeys } from '../../../platform/encryption/seal.ts';
import { OutboundError } from '../../../platform/outbound/errors.ts';
import { loadKeyPair } from '../certificate/certificate.ts';
import { sendToAgency } from './agency.ts';
import { type Message, type Prepared, prepareMessage } from './prepare.ts';
import { noteFailure } from './problems.ts';
import { program } from './program.ts';
import { type Stored, storeAnswer } from './store-answer.ts';

export interface SendingDeps {
  readonly database: Database;
  readonly config: VerifactuConfig;
  readonly encryptionKeys: EncryptionKeys;
  readonly now: () => Date;
}

/** The outcome of a try, and what is next. */
export type SendingStep =
  | Exclude<Prepared, { readonly next: 'send' }>
  | ({ readonly next: 'sent' } & Stored)
  | { readonly next: 'failed'; readonly code: ProblemCode; readonly seconds: number };

type Identity = NonNullable<Awaited<ReturnType<typeof loadKeyPair>>>;

/** Sends a message, if one is due. @param ctx without time: each step has its own */
export async function sendRecords(deps: SendingDeps, ctx: Omit<Context, 'now'>): Promise<SendingStep> {
  const { database, config, encryptionKeys, now } = deps;
  const at = (): Context => ({ ...ctx, now: now() });
  const identity = await database.readTenant(ctx, (reader) => loadKeyPair(reader, ctx.tenantId, encryptionKeys));
  const missing = obstacle(config, identity, now());
  const prepared = await database.withTenant(ctx, (trx) => prepareMessage(trx, at(), missing));
  if (prepared.next !== 'send') return prepared;
  const { message } = prepared;
  const { submissionId, chainId } = message;
  const answer = await exchange(deps, message, identity as Identity);
  return await database.withTenant(ctx, async (trx: Db): Promise<SendingStep> => {
    if (answer.kind === 'answer') return { next: 'sent', ...(await storeAnswer(trx, at(), message, answer)) };
    const code = faultProblem(answer);
    return {
      next: 'failed',
      code,
      seconds: await noteFailure(trx, at(), submissionId, { chainId, code, error: answer.error }),
    };
  });
}

function obstacle({ maker }: VerifactuConfig, identity: Identity | null, now: Date): ProblemCode | null {
  if (maker === undefined) return 'no_maker';
  if (identity === null) return 'no_certificate';
  return new Date(identity.validUntil) <= now ? 'certificate_expired' : null;
}

/** The answer; what is none counts as a fault: of the agency, or of what it was sent. */
async function exchange({ config }: SendingDeps, message: Message, identity: Identity): Promise<Answer | Fault> {
  try {
    return await sendToAgency({
      address: config.addresses[message.environment][identity.kind],
      identity,
      xml: messageText(config, message),
      caFile: config.caFile,
    });
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof UnreadableAnswer)) throw error;
    const server = error instanceof OutboundError;
    return { kind: 'fault', server, error: { code: '0', text: error.message } };
  }
}

function messageText(config: VerifactuConfig, { issuer, chainId, incident, endsOn, records }: Message): string {
  const newest = records.findLast(({ kind }) => kind === 'registration')?.record;
  const name = newest !== undefined && 'issuerName' in newest ? newest.issuerName : issuer;
  const stated = records.map((one) => ({
    ...one,
    program: program(config, { version: one.version, installation: chainId }),
  }));
  return serialize(submission({ name, taxId: issuer }, stated, { incident, endsOn }));
}
