/** Notices to a company about its plugins, in both languages. Plugins' own answers are quoted unchanged. */
import type { NoticeText } from '../../messages/notifications/types.ts';

/** Reports a plugin that failed. */
export function pluginFailed(name: string, error: string): NoticeText & { readonly es: NoticeText } {
  return {
    title: `The plugin ${name} has failed`,
    body: `${error}. Further failures within the next hour are only recorded in the logs of the rules.`,
    actionLabel: 'Plugin',
    es: {
      title: `El complemento ${name} ha fallado`,
      body: `${error}. Los demás fallos de la próxima hora solo constan en los registros de las reglas.`,
      actionLabel: 'Complemento',
    },
  };
}
