/** Warns of what is most likely a mistake in a rule: paths that lead to nothing. */
import type { TSchema } from 'typebox';
import type { Automation } from '../../db/models/automations.ts';
import { pathsIn } from '../../domain/automations/templates.ts';
import { leadsSomewhere, type Shape } from '../../domain/conditions/shapes.ts';
import type { DocType } from '../../domain/documents/types.ts';
import { isAboutDocument, recordsOf } from '../../services/automations/check.ts';
import { ruleOf } from '../../services/automations/manage.ts';
import type { Trigger } from '../../services/automations/schemas.ts';
import { typesOf } from '../../services/automations/try.ts';
import { items } from '../../services/master-data/items.ts';
import { partners } from '../../services/master-data/partners.ts';
import { answerSchema } from '../../services/resources/fields.ts';
import { pointerStep } from '../../services/validation/text.ts';
import { companySchema } from '../company/schemas.ts';
import { documentBody } from '../documents/answer-schemas.ts';
import { Payment } from '../payments/schemas.ts';

export interface Warning {
  readonly pointer: string;
  readonly message: string;
}

/** A warning for each path that leads nowhere in the data that the rule gets, and for payments to match where there are none. */
export function ruleWarnings(automation: Automation): Warning[] {
  const { trigger, conditions, actions } = ruleOf(automation);
  const shapes = shapesOf(trigger);
  const isKnown = (path: string) => shapes.some((shape) => leadsSomewhere(shape, path));
  const message = (path: string) => `${path} leads to nothing in what ${trigger.type} is about`;
  return [
    ...conditions.flatMap(({ field }, index) =>
      isKnown(field) ? [] : [{ pointer: `/conditions/${index}/field`, message: message(field) }],
    ),
    ...textsIn(actions, '/actions').flatMap(({ text, pointer }) =>
      [...new Set(pathsIn(text))].filter((path) => !isKnown(path)).map((path) => ({ pointer, message: message(path) })),
    ),
    ...actions.flatMap(({ type }, index) =>
      type !== 'payment.reconcile' || isKnown('payment')
        ? []
        : [{ pointer: `/actions/${index}/type`, message: `${type} will fail: ${trigger.type} is about no payment` }],
    ),
  ];
}

/** What the data of a rule may be like: one shape for each type of documents. */
function shapesOf(trigger: Trigger): Shape[] {
  const common = { company: companySchema as Shape, event: EVENT };
  const partner = answerSchema(partners) as Shape;
  const withPartner = (schema: TSchema, more: Record<string, Shape> = {}): Shape => {
    const shape = schema as Shape;
    return { ...shape, properties: { ...shape.properties, partner, ...more } };
  };
  const about = recordsOf(trigger)?.subject;
  if (about === 'partner') return [{ properties: { ...common, partner } }];
  if (about === 'item') return [{ properties: { ...common, item: answerSchema(items) as Shape } }];
  const isPayment = trigger.type === 'payment.received' || about === 'payment';
  const payment = isPayment ? { payment: withPartner(Payment, { direction: {} }) } : {};
  if (!isAboutDocument(trigger)) return [{ properties: common }];
  return typesOf(trigger).map((docType: DocType) => {
    const body = documentBody(docType);
    const document = withPartner(body, { documentType: {} });
    return { properties: { ...common, ...payment, document, json_document: body as Shape } };
  });
}

/** What every event has, besides its data. */
const EVENT: Shape = { patternProperties: { '^[a-z_]+$': {} } };

function textsIn(value: unknown, pointer: string): { readonly text: string; readonly pointer: string }[] {
  if (typeof value === 'string') return [{ text: value, pointer }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, pointer + pointerStep(name)));
}
