import { machineCodeOf } from './machineCode.ts'

/** Written by the staff's portal while its user is signed in (portal/shell/session/openSession.ts). */
const userMark = 'gettone.session.signedIn'

const isUser = () => {
  try {
    return localStorage.getItem(userMark) !== null
  } catch {
    return false
  }
}

/** Where a user of the staff's portal goes who has scanned a machine's QR code: the machine's page there. Undefined for customers. */
export function pageOfScanned({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const code = new URLSearchParams(search).has('scanned') && isUser() && machineCodeOf(pathname)
  return code ? `/m/${code}?staff` : undefined
}
