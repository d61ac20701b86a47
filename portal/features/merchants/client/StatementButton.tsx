import { Stack } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Client } from '#contract/merchants/client.ts'
import { clientStatements } from '#contract/merchants/client-statement.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { dayIn } from '#domain/time/period.ts'
import { download } from '#portal/app/api.ts'
import { ChoiceButton } from '#portal/ui/time/ChoiceButton.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import panel from '../../../ui/time/PeriodPanel.module.css'

const monthsOffered = 12

/** The last months of a client as PDF, the current one first. */
export function StatementButton({ client: { id: clientId, merchantId, name, timeZone } }: { client: Client }) {
  const { t, i18n } = useTranslation('client')
  const [year = 0, month = 1] = dayIn(useNow(), timeZone).split('-').map(Number)
  const months = Array.from({ length: monthsOffered }, (_, index) => new Date(Date.UTC(year, month - 1 - index, 1, 12)))
  const written = new Intl.DateTimeFormat(localeOf(i18n.language), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const save = (value: string) =>
    void download(
      clientStatements.getClientStatement,
      { params: { merchantId, clientId }, query: { month: value, language: i18n.language as Language } },
      `${name} ${value}.pdf`,
    )
  return (
    <ChoiceButton
      label={
        <>
          <IconFileText size={15} aria-hidden />
          {t('statement.do')}
        </>
      }
      name={t('statement.pick')}
      position="bottom-end"
    >
      {(close) => (
        <Stack gap={1} p="near" role="group" aria-label={t('statement.pick')}>
          {months.map((at) => (
            <button
              key={at.getTime()}
              type="button"
              className={`${panel.preset} lights`}
              onClick={() => {
                save(at.toISOString().slice(0, 7))
                close()
              }}
            >
              {written.format(at)}
            </button>
          ))}
        </Stack>
      )}
    </ChoiceButton>
  )
}
