import i18next from 'i18next'
import { type ReactNode, useEffect } from 'react'
import { firstScreenShown } from '../../app/firstScreen.ts'
import { speak } from '../../app/i18n/i18n.ts'
import type { SessionStore } from '../../app/session/session.ts'
import { SessionContext } from '../../app/session/useSession.ts'

/** Holds the session of this page. */
export function SessionProvider({ session, children }: { session: SessionStore; children: ReactNode }) {
  useEffect(() => {
    const onUser = () => {
      const { me } = session.state()
      if (me)
        void firstScreenShown()
          .then(() => import('#portal/ui/form/keptInput.ts'))
          .then(({ dropOthers }) => dropOthers(me.id))
      if (me?.language && me.language !== i18next.language) void speak(me.language).catch(() => undefined)
    }
    const unsubscribe = session.subscribe(onUser)
    // The user may have been loaded before this page was rendered.
    onUser()
    return unsubscribe
  }, [session])

  return <SessionContext value={session}>{children}</SessionContext>
}
