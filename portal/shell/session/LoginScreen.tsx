import { Button } from '@mantine/core'
import { Navigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { hasInput } from '#portal/ui/form/keptInput.ts'
import { safeReturn } from '../../app/session/returnTo.ts'
import { useSession } from '../../app/session/useSession.ts'
import { SessionPage } from '../../ui/page/SessionPage.tsx'
import { Splash } from '../../ui/part/Splash.tsx'

/**
 * The sign-in page. A signed-in user continues at once; others are redirected to the identity provider, except after a
 * sign-out or an error: then the page says so and waits.
 */
export default function LoginScreen() {
  const { t } = useTranslation('session')
  const { status, me, isUnauthorized, ending, signIn, retry } = useSession()
  const { to } = useSearch({ strict: false }) as { to?: unknown }
  const returnTo = safeReturn(typeof to === 'string' ? to : undefined)
  const isOnTheWay = status === 'unknown' && !ending

  useEffect(() => {
    if (isOnTheWay) void signIn(returnTo)
  }, [isOnTheWay, signIn, returnTo])

  // The address may carry a search of its own, which `Navigate` would not read.
  const { history } = useRouter()
  const isIn = me !== null
  useEffect(() => {
    if (isIn) history.replace(returnTo)
  }, [isIn, history, returnTo])

  if (isUnauthorized) return <Navigate to="/unauthorized" replace />
  if (status === 'error' && !isIn) {
    return (
      <SessionPage title={t('error.title')} text={t('error.text')}>
        <Button size="md" onClick={() => void retry(returnTo)}>
          {t('error.retry')}
        </Button>
        <Button size="md" variant="default" onClick={() => void signIn(returnTo)}>
          {t('signIn')}
        </Button>
      </SessionPage>
    )
  }
  if (isIn || status === 'inProgress' || isOnTheWay) return <Splash />
  return (
    <SessionPage
      title={t(`${ending}.title`)}
      text={t(ending === 'autoLogout' && hasInput() ? 'autoLogout.kept' : `${ending}.text`)}
    >
      <Button size="md" onClick={() => void signIn(returnTo)}>
        {t('signInAgain')}
      </Button>
    </SessionPage>
  )
}
