import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { customerMedias } from '#contract/key-portal/customer-media.ts'
import { useCommand } from '../app/api.ts'
import { Fault, useFieldFault } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Button, Card, Field } from '../ui/parts.tsx'

/** Links a key by its serial and the code that a machine shows while the key is inserted: so it is the owner's own. */
export function LinkScreen() {
  const { t } = useTranslation('key-app')
  const [, go] = useLocation()
  const next = new URLSearchParams(useSearch()).get('next') ?? '/'
  const [serial, setSerial] = useState('')
  const [code, setCode] = useState('')
  const link = useCommand(customerMedias.linkOwnMedia, { onDone: () => go(next, { replace: true }) })
  const faultOf = useFieldFault(link.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    link.mutate({ body: { serial, code } })
  }
  return (
    <Page title={t('link.title')} back="/media">
      <Card>
        <ol className="steps">
          <li>{t('link.step1')}</li>
          <li>{t('link.step2')}</li>
          <li>{t('link.step3')}</li>
        </ol>
        <form onSubmit={send} noValidate>
          <Field
            label={t('link.serial')}
            className="serial"
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            required
            value={serial}
            error={faultOf('serial')}
            onChange={(event) => setSerial(event.currentTarget.value)}
          />
          <Field
            label={t('link.code')}
            className="serial"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            error={faultOf('code')}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Fault error={link.error} />
          <Button type="submit" isBusy={link.isPending}>
            {t('link.send')}
          </Button>
        </form>
      </Card>
    </Page>
  )
}
