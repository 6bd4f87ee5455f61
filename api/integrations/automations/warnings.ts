/** Warns of likely mistakes in a rule, such as paths without data. */
import type { TSchema } from 'typebox';
import type { Automation } from '../../../db/models/integrations/automations.ts';
import { templatePaths } from '../../../domain/integrations/automations/templates.ts';
import { placedConditions } from '../../../domain/platform/conditions/groups.ts';
import { leadsSomewhere, type Shape } from '../../../domain/platform/conditions/shapes.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { isAboutDocument, ruleSubject, triggerDocTypes } from '../../../services/integrations/automations/check.ts';
import { automationRule } from '../../../services/integrations/automations/manage.ts';
import type { Trigger } from '../../../services/integrations/automations/schemas.ts';
import { textsIn } from '../../../services/platform/validation/text.ts';
import { items } from '../../../services/records/master-data/items.ts';
import { partners } from '../../../services/records/master-data/partners.ts';
import { prices } from '../../../services/records/master-data/prices.ts';
import { answerSchema } from '../../../services/records/resources/fields.ts';
import { companySchema } from '../../platform/settings/company-schemas.ts';
import { documentBody } from '../../trade/documents/answer-schemas.ts';
import { Payment } from '../../trade/payments/schemas.ts';

export interface Warning {
  readonly pointer: string;
  readonly message: string;
}

/** Warns of each path that does not exist in the rule's data, and of matching payments where there are none. */
export function ruleWarnings(automation: Automation): Warning[] {
  const { trigger, conditions, actions, for_each: forEach } = automationRule(automation);
  const shapes = dataShapes(trigger, forEach);
  const isKnown = (path: string) => shapes.some((shape) => leadsSomewhere(shape, path));
  const message = (path: string) => `${path} leads to nothing in what ${trigger.type} is about`;
  return [
    ...placedConditions(conditions, '/conditions').flatMap(({ condition, pointer }) =>
      (['field', 'value_field'] as const).flatMap((member) => {
        const path = condition[member];
        return path === undefined || isKnown(path) ? [] : [{ pointer: `${pointer}/${member}`, message: message(path) }];
      }),
    ),
    ...textsIn(actions, '/actions').flatMap(({ text, pointer }) =>
      [...new Set(templatePaths(text))]
        .filter((path) => !isKnown(path))
        .map((path) => ({ pointer, message: message(path) })),
    ),
    ...actions.flatMap(({ type }, index) =>
      type !== 'payment.reconcile' || isKnown('payment')
        ? []
        : [{ pointer: `/actions/${index}/type`, message: `${type} will fail: ${trigger.type} is about no payment` }],
    ),
  ];
}

/** The possible shapes of a rule's data: one for each type of document. */
function dataShapes(trigger: Trigger, forEach: 'line' | null): Shape[] {
  const common = { company: companySchema as Shape, event: EVENT, actions: ACTIONS };
  const partner = answerSchema(partners) as Shape;
  const withPartner = (schema: TSchema, more: Record<string, Shape> = {}): Shape => {
    const shape = schema as Shape;
    return { ...shape, properties: { ...shape.properties, partner, ...more } };
  };
  const about = ruleSubject(trigger);
  if (about === 'partner') return [{ properties: { ...common, partner } }];
  const item = answerSchema(items) as Shape;
  if (about === 'item') return [{ properties: { ...common, item } }];
  if (about === 'price') return [{ properties: { ...common, item, price: answerSchema(prices) as Shape } }];
  const payment = about === 'payment' ? { payment: withPartner(Payment, { direction: {} }) } : {};
  if (!isAboutDocument(trigger)) return [{ properties: common }];
  return triggerDocTypes(trigger).map((docType: DocType) => {
    const body = documentBody(docType);
    const document = withPartner(body, { documentType: {} });
    const { lines } = (body as Shape).properties ?? {};
    const line = forEach === null ? {} : { line: lines?.items ?? {} };
    return { properties: { ...common, ...line, ...payment, document, json_document: body as Shape } };
  });
}

/** Answers of calls: which actions have one is checked when a rule is saved. */
const ACTIONS: Shape = { isOpen: true };

/** Members of every event other than its data. */
const EVENT: Shape = { patternProperties: { '^[a-z_]+$': {} } };
