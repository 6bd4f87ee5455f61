/** Finds in the sources what the service says to people, as templates whose holes are numbered. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const LAYERS = ['domain', 'services', 'api', 'db'];

/** Texts that have translations of their own, or are no messages: notices and papers by language, entries, the reference. */
const OTHERS =
  /^db\/(migrations|invariants|schema)|^api\/(docs|openapi)\/|^domain\/(locale\/|words\.ts)|\/(schemas|notices|texts|summary-text)\.ts$|pdf\/texts\/|closing-entries\.ts$|pending\/enter\.ts$|payments\/entry\.ts$|webhooks\/(gate|events)\.ts$/;

/** Functions that take messages. */
const TAKES =
  /^(refuse|refused|fault|wrong|mixed|required|add|badTable|badStatement|unstorable|invalidMember|refusedParameter|notFound|notFoundByParameter|ServiceError|ImageRefused|\w*[fF]ault|\w*[Rr]efus\w*)$/;
/** Names of variables, members and functions that hold or return messages. */
const HOLDS = /^(message|words|detail|reason|why|refusal|refused|error)$/;
const RETURNS = /[fF]ault|[mM]essage|[rR]efus|[rR]eason|[pP]roblem/;
/** A text is a message if it has at least two words, and is no SQL. */
const SPOKEN = /[a-z]{2} [a-z]{2}|\} [a-z]{2}/;
const SQL = /^\s*(select|update|insert|with|delete|exists|and|or|from|where|join|left join|order by|coalesce)\b/i;

/** All templates, with the place of one of their uses. */
export function messageTemplates(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of sources()) {
    const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
    const take = (node: ts.Expression) => {
      for (const text of textsIn(node)) {
        if (!SPOKEN.test(text) || SQL.test(text)) continue;
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        if (!found.has(text)) found.set(text, `${path}:${line + 1}`);
      }
    };
    const visit = (node: ts.Node): void => {
      for (const message of messagesIn(node)) take(message);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function sources(): string[] {
  return LAYERS.flatMap((layer) =>
    readdirSync(join(ROOT, layer), { recursive: true, encoding: 'utf8' }).map((name) => join(layer, name)),
  ).filter((path) => path.endsWith('.ts') && !OTHERS.test(path));
}

/** Expressions that are messages by their place. */
function messagesIn(node: ts.Node): readonly ts.Expression[] {
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    const { expression } = node;
    const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    return TAKES.test(callee.getText()) ? (node.arguments ?? []) : [];
  }
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) {
    return node.initializer !== undefined && HOLDS.test(node.name.getText()) ? [node.initializer] : [];
  }
  if (ts.isReturnStatement(node) && node.expression !== undefined) {
    return RETURNS.test(functionName(node)) ? [node.expression] : [];
  }
  return [];
}

function functionName(node: ts.Node): string {
  let around: ts.Node | undefined = node;
  while (around !== undefined && !ts.isFunctionLike(around)) around = around.parent;
  return around?.name?.getText() ?? '';
}

/** The texts that an expression can be, with numbers in place of what is inserted. */
function textsIn(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return textsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
  if (ts.isTemplateExpression(node) || isSum(node)) {
    let holes = 0;
    return [
      parts(node)
        .map((part) => part ?? `{${++holes}}`)
        .join(''),
    ];
  }
  return [];
}

function isSum(node: ts.Expression): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

/** The literal texts of a template or sum; null for what is inserted. */
function parts(node: ts.Expression): (string | null)[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (isSum(node)) return [...parts(node.left), ...parts(node.right)];
  if (!ts.isTemplateExpression(node)) return [null];
  return [node.head.text, ...node.templateSpans.flatMap(({ literal }) => [null, literal.text])];
}
