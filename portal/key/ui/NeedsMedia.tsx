import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { customerMedias } from '#contract/key-portal/customer-media.ts'
import { useCommand } from '../app/api.ts'
import { Fault } from './Failure.tsx'
import { Button, ButtonLink, Card } from './parts.tsx'

/** In the place of what needs a key or a wallet: the wallet is created here, and a linked key leads back here. */
export function NeedsMedia({ text }: { text: string }) {
  const { t } = useTranslation('key-app')
  const [location] = useLocation()
  const search = useSearch()
  const create = useCommand(customerMedias.createOwnWallet)
  const here = search ? `${location}?${search}` : location
  return (
    <Card className="centred">
      <p>{text}</p>
      <Fault error={create.error} />
      <div className="acts">
        <Button isBusy={create.isPending} onClick={() => create.mutate({})}>
          {t('beginning.wallet')}
        </Button>
        <ButtonLink to={`/media/link?next=${encodeURIComponent(here)}`} look="outline">
          {t('beginning.link')}
        </ButtonLink>
      </div>
    </Card>
  )
}
