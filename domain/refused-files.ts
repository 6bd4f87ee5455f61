/** File names that are refused as attachments: a double click on the file, or a look at its folder, does more than show it. */

/** Why a name is refused: it runs a program, or leads to another place. */
export type RefusedFile = 'program' | 'link';

/** Programs, scripts, installers and disk images. */
const PROGRAMS =
  'ade adp apk app appimage appinstaller application appref-ms appx appxbundle bat chm cmd com command cpl deb diagcab dll ' +
  'dmg exe flatpakref gadget hlp hta img ins iso isp jar jnlp js jse mobileconfig msc msh msi msix msixbundle msp mst pif pkg ' +
  'ps1 psc1 psd1 psm1 reg rpm run scpt scr sct sh shb so sys terminal vb vbe vbs vhd vhdx wll workflow ws wsc wsf wsh xbap xll';

/** Shortcuts, searches, queries and sessions: a desktop follows them to the server of whoever wrote them, some just to draw their icon. */
const LINKS =
  'asx deskthemepack desktop fileloc ica inetloc inf iqy library-ms lnk mad maf mag mam maq mar mas mat mav maw mda ndx odc ' +
  'oqy osdx rdp rqy scf search-ms searchconnector-ms settingcontent-ms shs slk theme themepack udl uri url wax webloc website wmx ' +
  'wvx xnk';

/** Files that Windows reads when it shows their folder, whatever is in them. */
const FOLDER_SETTINGS: ReadonlySet<string> = new Set(['autorun.inf', 'desktop.ini', 'folder.htt']);

const ENDINGS: ReadonlyMap<string, RefusedFile> = new Map([
  ...PROGRAMS.split(' ').map((ending) => [ending, 'program'] as const),
  ...LINKS.split(' ').map((ending) => [ending, 'link'] as const),
]);

/** All endings that are refused, without their dot. */
export const REFUSED_ENDINGS: readonly string[] = [...ENDINGS.keys()];

/** Tells why a file of this name is refused; undefined if its name is harmless. */
export function refusedByName(name: string): RefusedFile | undefined {
  // `a.url::$DATA` is the file `a.url`, and `a.txt:b.url` a part of one.
  for (const part of name.toLowerCase().split(':')) {
    // Windows ignores dots and blanks at the end.
    const plain = part.replace(/[.\s]+$/u, '');
    if (FOLDER_SETTINGS.has(plain.trim())) return 'link';
    const reason = plain.includes('.') ? ENDINGS.get(plain.slice(plain.lastIndexOf('.') + 1).trim()) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}
