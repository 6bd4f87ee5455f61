/** The form of consolidated annual accounts: that of the parent's chart, with the lines that only consolidation has. */

import { type Form, form } from '../accounting/forms/form.ts';
import { contains, type Heading, headingNamed, optional, withSide } from '../accounting/headings.ts';
import { OWN_ACCOUNTS } from './own-accounts.ts';

type Own = (typeof OWN_ACCOUNTS)[keyof typeof OWN_ACCOUNTS];

/** Adds the lines of consolidation to a form, each shown only if it has an amount. */
export function consolidatedForm(own: Form): Form {
  const { assets, intangible, equityAndLiabilities, equity, sections } = own;
  const { goodwill, reserves, translation, minorities, differences, resultDifferences } = OWN_ACCOUNTS;
  const [first, ...others] = sections;
  if (first === undefined) throw new Error('a form has sections of its profit and loss account');
  const onEquity = [reserves, translation, minorities].map(ownLine);
  return form({
    ...own,
    assets: withChildren(below(assets, intangible, [ownLine(goodwill)]), [sided(differences, 'debit')]),
    equityAndLiabilities: withChildren(below(equityAndLiabilities, equity.heading, onEquity), [
      sided(differences, 'credit'),
    ]),
    sections: [{ ...first, ...withChildren(first, [ownLine(resultDifferences)]) }, ...others],
  });
}

function ownLine({ code, name }: Own): Heading {
  return optional({ code, name, accounts: [code] });
}

function sided({ code, name }: Own, side: 'debit' | 'credit'): Heading {
  return optional(withSide({ code, name }, side, code));
}

function withChildren(parent: Heading, more: readonly Heading[]): Heading {
  return { ...parent, children: [...(parent.children ?? []), ...more] };
}

/** The tree with more headings below the one with a code. */
function below(tree: Heading, code: string, more: readonly Heading[]): Heading {
  const place = headingNamed(tree, code);
  return replaced(tree, place, withChildren(place, more));
}

/** The tree with another heading in the place of one. Headings that do not contain it stay the same objects. */
function replaced(tree: Heading, old: Heading, by: Heading): Heading {
  if (tree === old) return by;
  if (!contains(tree, old)) return tree;
  return { ...tree, children: (tree.children ?? []).map((child) => replaced(child, old, by)) };
}
