import {
  IconChevronRight,
  IconExternalLink,
  IconFileText,
  IconMail,
  IconMessageReport,
  IconNews,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../app/session.ts'
import { usePortal } from '../app/usePortal.ts'
import { LookAndLanguage } from '../ui/LookAndLanguage.tsx'
import { Page } from '../ui/Page.tsx'
import { Card, Row } from '../ui/parts.tsx'

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
      {portal?.ingredientsUrl && (
        <Card className="list">
          <a className="row" href={portal.ingredientsUrl} target="_blank" rel="noreferrer">
            <span className="icon">
              <IconFileText aria-hidden />
            </span>
            <span className="texts">
              <strong>{t('ingredients.title')}</strong>
              <small>{t('ingredients.note')}</small>
            </span>
            <span className="end">
              <IconExternalLink aria-hidden />
            </span>
          </a>
        </Card>
      )}
      <LookAndLanguage />
    </Page>
  )
}
