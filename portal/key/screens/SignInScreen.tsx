import { IconMailCheck } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { customerSessions } from '#contract/key-portal/customer-session.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { takeNext } from '../app/afterSignIn.ts'
import { useCommand } from '../app/api.ts'
import { slug } from '../app/place.ts'
import { signIn, takeEnded, useSession } from '../app/session.ts'
import { Fault, useFieldFault } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Button, ButtonLink, Card, Empty, Field, Loading, Notice } from '../ui/parts.tsx'

const params = { portalSlug: slug }

/** Signing in and signing up are one act: a link in a mail. A customer with a password may use it instead. */
export function SignInScreen({ isNew = false }: { isNew?: boolean }) {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'))
  const isIn = useSession() === 'in'
  if (token) return <LinkSignIn token={token} />
  return isIn ? <NextScreen /> : <Forms isNew={isNew} />
}

/** Opens the screen that needed the sign-in. */
function NextScreen() {
  const [, go] = useLocation()
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    go(takeNext(), { replace: true })
  })
  return null
}

/** Uses the token of a mailed link, once. */
function LinkSignIn({ token }: { token: string }) {
  const { t } = useTranslation('key-app')
  const [, go] = useLocation()
  const enter = useCommand(customerSessions.signInByLink, {
    onDone: async (customer) => {
      await signIn(customer)
      go(takeNext(), { replace: true })
    },
  })
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    // The token works once; it does not stay in the address.
    window.history.replaceState(null, '', window.location.pathname)
    enter.mutate({ params, body: { token } })
  })
  return (
    <Page title={t('signIn.title')}>
      {enter.isError ? (
        <>
          <Fault error={enter.error} />
          <ButtonLink to="/sign-up">{t('signIn.newLink')}</ButtonLink>
        </>
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function Forms({ isNew }: { isNew: boolean }) {
  const { t, i18n } = useTranslation('key-app')
  const [isEnded] = useState(takeEnded)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [hasPassword, setHasPassword] = useState(false)
  const link = useCommand(customerSessions.requestSignInLink)
  const enter = useCommand(customerSessions.signInByPassword, { onDone: signIn })
  const error = hasPassword ? enter.error : link.error
  const faultOf = useFieldFault(error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (hasPassword) enter.mutate({ params, body: { email, password } })
    else
      link.mutate({
        params,
        body: { email, language: i18n.language as Language, ...(isNew && name.trim() && { name }) },
      })
  }
  if (link.isSuccess && !hasPassword)
    return (
      <Page title={t('signIn.sentTitle')}>
        <Empty icon={<IconMailCheck aria-hidden />} title={t('signIn.sent')}>
          <p>{t('signIn.sentText', { email })}</p>
          <Button look="outline" onClick={() => link.reset()}>
            {t('signIn.again')}
          </Button>
        </Empty>
      </Page>
    )
  return (
    <Page title={isNew ? t('signIn.upTitle') : t('signIn.title')}>
      {isEnded && <Notice tone="info">{t('signIn.ended')}</Notice>}
      <Card>
        <form onSubmit={send} noValidate>
          {isNew && (
            <Field
              label={t('signIn.name')}
              autoComplete="name"
              value={name}
              error={faultOf('name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          <Field
            label={t('signIn.email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            required
            value={email}
            error={faultOf('email')}
            hint={hasPassword ? undefined : t('signIn.emailHint')}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {hasPassword && (
            <Field
              label={t('signIn.password')}
              type="password"
              autoComplete="current-password"
              required
              value={password}
              error={faultOf('password')}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
          <Fault error={error} />
          <Button type="submit" isBusy={link.isPending || enter.isPending}>
            {hasPassword ? t('signIn.enter') : t('signIn.send')}
          </Button>
          {!isNew && (
            <Button look="plain" onClick={() => setHasPassword(!hasPassword)}>
              {hasPassword ? t('signIn.byLink') : t('signIn.byPassword')}
            </Button>
          )}
        </form>
      </Card>
      <p className="centre">
        {isNew ? (
          <Link to="/sign-in">{t('signIn.haveAccount')}</Link>
        ) : (
          <Link to="/sign-up">{t('signIn.noAccount')}</Link>
        )}
        {' · '}
        <Link to="/privacy">{t('privacy.title')}</Link>
      </p>
    </Page>
  )
}
