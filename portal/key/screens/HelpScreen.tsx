import {
  IconChevronRight,
  IconDownload,
  IconFileText,
  IconMail,
  IconMessageReport,
  IconNews,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { saveAs } from '../app/api.ts'
import { fileOf, keptAt } from '../app/keptFile.ts'
import { useSession } from '../app/session.ts'
import { usePortal } from '../app/usePortal.ts'
import { Fault } from '../ui/Failure.tsx'
import { LookAndLanguage } from '../ui/LookAndLanguage.tsx'
import { Page } from '../ui/Page.tsx'
import { Card, Row } from '../ui/parts.tsx'
import { useWhen } from '../ui/values.tsx'

/** Everything beside the wallet: claims, contacts, news, privacy, ingredients, and the device's own settings. */
export function HelpScreen() {
  const { t } = useTranslation('key-app')
  const portal = usePortal().data
  const isIn = useSession() !== 'out'
  const next = <IconChevronRight aria-hidden />
  return (
    <Page title={t('help.title')} isMain>
      <Card className="list">
        {isIn && <Row to="/claims" icon={<IconMessageReport aria-hidden />} title={t('claim.mine')} end={next} />}
        <Row to="/contacts" icon={<IconMail aria-hidden />} title={t('contacts.title')} end={next} />
        <Row to="/news" icon={<IconNews aria-hidden />} title={t('news.title')} end={next} />
        <Row to="/privacy" icon={<IconShieldLock aria-hidden />} title={t('privacy.title')} end={next} />
        {isIn && <Row to="/profile" icon={<IconUser aria-hidden />} title={t('profile.title')} end={next} />}
      </Card>
      {portal?.ingredientsUrl && <Ingredients url={portal.ingredientsUrl} />}
      <LookAndLanguage />
    </Page>
  )
}

/** The PDF with the ingredients. It stays on the device. */
function Ingredients({ url }: { url: string }) {
  const { t } = useTranslation('key-app')
  const when = useWhen()
  const savedFile = useQuery({
    queryKey: ['file', url],
    queryFn: async () => (await keptAt(url)) ?? null,
    staleTime: 0,
  })
  const save = useMutation({
    mutationFn: async () => saveAs(await fileOf(url), `${t('ingredients.title')}.pdf`),
    onSuccess: () => savedFile.refetch(),
  })
  return (
    <>
      <Card className="list">
        <button type="button" className="row" aria-busy={save.isPending || undefined} onClick={() => save.mutate()}>
          <span className="icon">
            <IconFileText aria-hidden />
          </span>
          <span className="texts">
            <strong>{t('ingredients.title')}</strong>
            <small>{t('ingredients.note')}</small>
            {savedFile.data && (
              <small>
                {t('ingredients.kept')} · {t('asOf', { when: when(savedFile.data) })}
              </small>
            )}
          </span>
          <span className="end">
            <IconDownload aria-hidden />
          </span>
        </button>
      </Card>
      <Fault error={save.error} />
    </>
  )
}
