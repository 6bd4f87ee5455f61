/** What a company is told of its plugins, in both languages. What a plugin answered stays as it was said. */
import type { NoticeText } from '../notifications/texts.ts';

/** A plugin that failed. */
export function pluginFailed(name: string, error: string): NoticeText & { readonly es: NoticeText } {
  return {
    title: `The plugin ${name} has failed`,
    body: `${error}. Further failures within an hour are in the logs of the rules only.`,
    actionLabel: 'Plugin',
    es: {
      title: `El complemento ${name} ha fallado`,
      body: `${error}. Los demás fallos de la próxima hora solo constan en los registros de las reglas.`,
      actionLabel: 'Complemento',
    },
  };
}
