import { IconDownload, IconLogout, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { customerProfiles, type EditedOwnProfile, type OwnProfile } from '#contract/key-portal/customer-profile.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { download, useAnswer, useCommand } from '../app/api.ts'
import { forgetAccount, signOut } from '../app/session.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Answer, Fault, useFieldFault } from '../ui/Failure.tsx'
import { LookAndLanguage } from '../ui/LookAndLanguage.tsx'
import { Page } from '../ui/Page.tsx'
import { Button, Card, Field, Notice, Switch } from '../ui/parts.tsx'
import { useWhen } from '../ui/values.tsx'

export function ProfileScreen() {
  const { t } = useTranslation('key-app')
  const profile = useAnswer(customerProfiles.getOwnProfile)
  const language = useCommand(customerProfiles.updateOwnProfile)
  return (
    <Page title={t('profile.title')} back="/help">
      <Answer answer={profile}>
        {(one) => (
          <>
            <Name key={one.name} profile={one} />
            <LookAndLanguage onLanguage={(value) => language.mutate({ body: { language: value as Language } })} />
            <Consents profile={one} />
            <PasswordForm hasPassword={one.hasPassword} />
            <Account email={one.email} />
          </>
        )}
      </Answer>
    </Page>
  )
}

function Name({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const [name, setName] = useState(profile.name)
  const save = useCommand(customerProfiles.updateOwnProfile)
  const faultOf = useFieldFault(save.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { name } })
  }
  return (
    <Card>
      <form onSubmit={send} noValidate>
        <Field
          label={t('signIn.name')}
          autoComplete="name"
          value={name}
          error={faultOf('name')}
          hint={t('profile.since', { email: profile.email, when: when(profile.registeredAt) })}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Fault error={save.error} />
        {name !== profile.name && (
          <Button type="submit" isBusy={save.isPending}>
            {t('profile.saveName')}
          </Button>
        )}
      </form>
    </Card>
  )
}

const consents = ['consentAnalysis', 'consentCommunications', 'consentQuality'] as const

/** The privacy consents, each with the date of its last change. */
function Consents({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const save = useCommand(customerProfiles.updateOwnProfile)
  return (
    <Card>
      <h2>{t('profile.consents')}</h2>
      {consents.map((consent) => {
        const at = profile[`${consent}At`]
        const isOn = profile[consent]
        const sent = save.variables?.body as EditedOwnProfile | undefined
        return (
          <Switch
            key={consent}
            label={t(`profile.${consent}`)}
            hint={at ? t(isOn ? 'profile.given' : 'profile.withdrawn', { when: when(at) }) : t('profile.never')}
            isOn={(save.isPending ? sent?.[consent] : undefined) ?? isOn}
            isDisabled={save.isPending}
            onChange={(next) => save.mutate({ body: { [consent]: next } })}
          />
        )
      })}
      <Fault error={save.error} />
    </Card>
  )
}

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation('key-app')
  const [isOpen, setOpen] = useState(false)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const save = useCommand(customerProfiles.setOwnPassword, {
    onDone: () => {
      setOpen(false)
      setCurrent('')
      setNext('')
    },
  })
  const faultOf = useFieldFault(save.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ body: { ...(current && { current }), next } })
  }
  return (
    <Card>
      <h2>{t('signIn.password')}</h2>
      <p>{hasPassword ? t('password.has') : t('password.none')}</p>
      {save.isSuccess && !isOpen && (
        <Notice tone="ok" role="status">
          {t('password.saved')}
        </Notice>
      )}
      {isOpen ? (
        <form onSubmit={send} noValidate>
          {hasPassword && (
            <Field
              label={t('password.current')}
              type="password"
              autoComplete="current-password"
              hint={t('password.currentHint')}
              value={current}
              error={faultOf('current')}
              onChange={(event) => setCurrent(event.currentTarget.value)}
            />
          )}
          <Field
            label={t('password.next')}
            type="password"
            autoComplete="new-password"
            required
            value={next}
            error={faultOf('next')}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <Fault error={save.error} />
          <Button type="submit" isBusy={save.isPending}>
            {t('password.save')}
          </Button>
        </form>
      ) : (
        <Button look="outline" onClick={() => setOpen(true)}>
          {hasPassword ? t('password.change') : t('password.set')}
        </Button>
      )}
    </Card>
  )
}

function Account({ email }: { email: string }) {
  const { t } = useTranslation('key-app')
  const [, go] = useLocation()
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const leave = async (how: () => Promise<void>) => {
    await how()
    go('/', { replace: true })
  }
  const endAll = useCommand(customerProfiles.endOwnSessions, { onDone: () => leave(signOut) })
  const erase = useCommand(customerProfiles.deleteOwnAccount, { onDone: () => leave(forgetAccount) })
  return (
    <Card>
      <h2>{t('account.title')}</h2>
      <div className="acts stack">
        <Button icon={<IconLogout aria-hidden />} look="outline" onClick={() => void leave(signOut)}>
          {t('account.signOut')}
        </Button>
        <Button look="plain" isBusy={endAll.isPending} onClick={() => endAll.mutate({})}>
          {t('account.everywhere')}
        </Button>
        <Button
          look="plain"
          icon={<IconDownload aria-hidden />}
          onClick={() => {
            setFailure(undefined)
            download(customerProfiles.getOwnData, 'data.json').catch(setFailure)
          }}
        >
          {t('account.data')}
        </Button>
        <Button look="plain" icon={<IconTrash aria-hidden />} onClick={() => setAsked(true)}>
          {t('account.erase')}
        </Button>
      </div>
      <Fault error={failure ?? endAll.error} />
      {isAsked && (
        <Confirm
          title={t('account.eraseTitle')}
          yes={t('account.erase')}
          no={t('account.keep')}
          isDanger
          isBusy={erase.isPending}
          onYes={() => erase.mutate({})}
          onNo={() => setAsked(false)}
        >
          <p>{t('account.eraseAsk', { email })}</p>
          <Fault error={erase.error} />
        </Confirm>
      )}
    </Card>
  )
}
