import { Button, Text } from '@mantine/core'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invitations } from '#contract/people/invitation.ts'
import { call } from '../../app/api.ts'
import { sentenceOf } from '../../app/apiError.ts'
import { useSession } from '../../app/session/useSession.ts'
import { SessionPage } from '../../ui/page/SessionPage.tsx'
import { Splash } from '../../ui/part/Splash.tsx'

/**
 * The target of an invitation's link with an external identity provider: the user signs in there and accepts with their
 * existing account. The token is after the # and survives the redirect to the provider.
 */
export default function InvitationScreen() {
  const { t } = useTranslation(['session', 'errors'])
  const { status, me, isUnauthorized, signIn, logout, enter } = useSession()
  const token = useRouterState({ select: ({ location }) => location.hash })
  const { history } = useRouter()
  const [error, setError] = useState<unknown>()
  const [isAccepting, setAccepting] = useState(false)

  async function accept() {
    setAccepting(true)
    setError(undefined)
    try {
      await call(invitations.acceptInvitation, { body: { token } })
      await enter()
      // The back button does not return to the link.
      history.replace('/dashboard')
    } catch (failure) {
      setError(failure)
      setAccepting(false)
    }
  }

  if (status === 'inProgress') return <Splash />
  const another = (
    <Button size="md" variant="default" onClick={() => void logout()}>
      {t('session:invitation.another')}
    </Button>
  )
  if (me)
    return (
      <SessionPage title={t('session:invitation.title')} text={t('session:invitation.known', { name: me.name })}>
        {another}
      </SessionPage>
    )
  if (!isUnauthorized)
    return (
      <SessionPage title={t('session:invitation.title')} text={t('session:invitation.signIn')}>
        <Button size="md" onClick={() => void signIn(`/invitation#${token}`)}>
          {t('session:signIn')}
        </Button>
      </SessionPage>
    )
  return (
    <SessionPage title={t('session:invitation.title')} text={t('session:invitation.accept')}>
      {error !== undefined && (
        <Text my="part" role="alert">
          {sentenceOf((key, values) => t(key, values), error)}
        </Text>
      )}
      <Button size="md" loading={isAccepting} onClick={() => void accept()}>
        {t('session:invitation.button')}
      </Button>
      {another}
    </SessionPage>
  )
}
