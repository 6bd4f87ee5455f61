/** Alert texts for owners and administrators, in both languages; they reveal nothing about other companies. */
import type { NoticeText } from './types.ts';

/** A text in English, with its Spanish translation. */
export type AlertText = NoticeText & { readonly es: NoticeText };

/** Free and total space of a disk that holds the service's data. */
export interface DiskSpace {
  readonly host: string;
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export function diskIsLow({ host, path, freeBytes, totalBytes }: DiskSpace): AlertText {
  const [free, total] = [gib(freeBytes), gib(totalBytes)];
  return {
    title: `Disk space is low on ${host}`,
    body: `${free} of ${total} are free at ${path}. Once the disk is full, nothing can be saved: free some space or enlarge it.`,
    es: {
      title: `Queda poco espacio en el disco de ${host}`,
      body: `Quedan ${free} de ${total} en ${path}. Con el disco lleno no se puede guardar nada: libere espacio o amplíelo.`,
    },
  };
}

export function diskIsWell({ host, path, freeBytes }: DiskSpace): AlertText {
  const free = gib(freeBytes);
  return {
    title: `Disk space on ${host} is sufficient again`,
    body: `${free} are free at ${path}.`,
    es: { title: `Vuelve a haber espacio en el disco de ${host}`, body: `Quedan ${free} en ${path}.` },
  };
}

export function outboxLags(seconds: number): AlertText {
  return {
    title: 'Follow-up work is late',
    body:
      `The oldest event has been waiting for ${seconds} seconds: webhooks, notifications and mails are delayed. Nothing is lost. ` +
      'GET /health/ready shows which part does not respond.',
    es: {
      title: 'El trabajo pendiente va con retraso',
      body:
        `El evento más antiguo espera desde hace ${seconds} segundos: webhooks, avisos y correos llegan tarde. No se pierde nada. ` +
        'GET /health/ready dice qué no responde.',
    },
  };
}

export function outboxIsWell(): AlertText {
  return {
    title: 'Follow-up work is on time again',
    body: 'All waiting events have been handed over.',
    es: { title: 'El trabajo pendiente está al día', body: 'Lo que esperaba ya se ha entregado.' },
  };
}

/** Reports events that could not be handed over and whose consequences are missing. @param event the name of the newest */
export function eventsSetAside(events: number, event: string): AlertText {
  return {
    title: events === 1 ? 'An event was set aside' : `${events} events were set aside`,
    body:
      `${event} could not be handed over after ten tries: its webhooks, notifications and other consequences are missing. Saved ` +
      'data is not affected. The operators of the service can see the reason and retry it.',
    es: {
      title: events === 1 ? 'Se ha apartado un evento' : `Se han apartado ${events} eventos`,
      body:
        `${event} no se puede entregar tras diez intentos: faltan sus webhooks, avisos y demás consecuencias. Lo guardado está ` +
        'guardado. Quien opera el servicio puede ver la causa y repetirlo.',
    },
  };
}

export function eventsRepeated(): AlertText {
  return {
    title: 'No events are set aside any more',
    body: 'The events that were set aside are being handed over again.',
    es: { title: 'Ya no hay eventos apartados', body: 'Los eventos apartados se entregan de nuevo.' },
  };
}

/** @param reason the last failure, in words for users */
export function scheduleFails(name: string, failures: number, reason: string): AlertText {
  return {
    title: `${name} has failed ${failures} times in a row`,
    body: `The last time: ${reason}`,
    actionLabel: 'Show',
    es: {
      title: `${name} ha fallado ${failures} veces seguidas`,
      body: `La última vez: ${reason}`,
      actionLabel: 'Ver',
    },
  };
}

export function scheduleSucceeds(name: string, failures: number): AlertText {
  return {
    title: `${name} works again`,
    body: `It had failed ${failures} times in a row.`,
    actionLabel: 'Show',
    es: { title: `${name} vuelve a funcionar`, body: `Había fallado ${failures} veces seguidas.`, actionLabel: 'Ver' },
  };
}

/** @param budget in words, such as `10 GiB` */
export function storageIsFull(budget: string): AlertText {
  return {
    title: 'The storage of the company is full',
    body:
      `The company stores its ${budget}: nothing new can be saved until there is room. Reading and deleting work. GET /api/company/usage ` +
      'shows what takes the room and how to free it.',
    actionLabel: 'Show',
    es: {
      title: 'El almacenamiento de la empresa está lleno',
      body:
        `La empresa ocupa sus ${budget}: no se puede guardar nada nuevo hasta que haya sitio. Consultar y borrar funciona. ` +
        'GET /api/company/usage dice qué ocupa el sitio y cómo liberarlo.',
      actionLabel: 'Ver',
    },
  };
}

/** @param used in words, as the budget */
export function storageIsWell(used: string, budget: string): AlertText {
  return {
    title: 'The storage of the company has room again',
    body: `${used} of ${budget} are in use.`,
    actionLabel: 'Show',
    es: {
      title: 'Vuelve a haber sitio en el almacenamiento de la empresa',
      body: `Se usan ${used} de ${budget}.`,
      actionLabel: 'Ver',
    },
  };
}

/** Formats bytes as `1.4 GiB`. */
function gib(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
