import { Button } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { endCustomer } from '#contract/vocabulary/roles.ts'
import { useSession } from '../../app/session/useSession.ts'
import { SessionPage } from '../../ui/page/SessionPage.tsx'
import { Splash } from '../../ui/part/Splash.tsx'

/** Says why the signed-in user has no access and what to do, and offers sign-out. */
export default function UnauthorizedScreen() {
  const { t } = useTranslation(['session', 'shell'])
  const { status, me, isUnauthorized, isCustomer, isWeak, logout } = useSession()
  if (status === 'inProgress') return <Splash />
  if (!me && !isUnauthorized) return <Navigate to="/login" replace />
  const who = isWeak ? 'weak' : isCustomer ? 'customer' : 'person'
  const text = t(`unauthorized.${me ? 'screen' : who}`, { role: t(`shell:roles.${endCustomer}`) })
  return (
    <SessionPage title={t(isWeak ? 'unauthorized.weakTitle' : 'unauthorized.title')} text={text}>
      {me && (
        <Button size="md" component={Link} {...({ to: '/dashboard' } as object)}>
          {t('unauthorized.dashboard')}
        </Button>
      )}
      <Button size="md" variant={me ? 'default' : 'filled'} onClick={() => void logout()}>
        {t('logout')}
      </Button>
    </SessionPage>
  )
}
