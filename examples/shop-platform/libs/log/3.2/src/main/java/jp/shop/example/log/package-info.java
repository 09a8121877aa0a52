/**
 * 共通ログ部品。
 *
 * <p>アプリケーションが使うのはこのパッケージの公開型だけです。{@code internal} パッケージは予告なく変わります。
 */
package jp.shop.example.log;
