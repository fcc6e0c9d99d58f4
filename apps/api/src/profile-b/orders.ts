import { type Route, route } from '../http/route.ts'
import { OrderId } from '../ids.ts'
import { OrderCreate, OrderResponse } from './schemas.ts'

/** Orders are not stored: no endpoint reads one, so storing them would only use memory. */
export const orderRoutes = (): Route[] => [
  route(
    {
      method: 'post',
      path: '/orders',
      id: 'createOrder',
      tag: 'orders',
      summary: 'Order a product for a user',
      description:
        'Accepts any identifiers of the right types. Does not check that the user and the product exist.',
      body: OrderCreate,
      success: { status: 200, description: 'The new order', body: OrderResponse },
    },
    async ({ body: { user_id, product_id } }) => ({ order_id: OrderId.generate(), user_id, product_id }),
  ),
]
